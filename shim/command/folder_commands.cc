// The options of commands that maintain a data folder.
#include <memory>

#include "shim/command/command_options.h"

namespace logquery::shim {

void AddStats(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<StatsArguments>();
  CLI::App* command =
      app.add_subcommand("stats", "Counts what each log of a data folder holds, also while it is served.");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  command->add_option("--format", to->format, "table for people, or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str()
      ->option_text("table|json");
  command->footer("Example:\n  logquery stats --data data");
  OnParsed(command, to, RunStats, chosen);
}

void AddCluster(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<ClusterArguments>();
  CLI::App* command = app.add_subcommand("cluster",
                                         "Puts the rows of days before yesterday in the order of projects, so that a "
                                         "project's rows are found sooner. A server does that by itself.");
  command->add_option("--data", to->data, "The data folder, which no server holds")->required()->option_text("DIR");
  command->footer("Example:\n  logquery cluster --data data");
  OnParsed(command, to, RunCluster, chosen);
}

void AddBackup(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<BackupArguments>();
  CLI::App* command = app.add_subcommand("backup",
                                         "Copies a data folder as it is at one moment, with a digest of each file. "
                                         "A server that holds it goes on answering, and takes logs in afterwards.");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  command->add_option("target", to->target, "Where to: a folder that is absent or empty")
      ->required()
      ->option_text("TARGET");
  command->footer("Example:\n  logquery backup --data data backups/monday");
  OnParsed(command, to, RunBackup, chosen);
}

void AddDoctor(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<DoctorArguments>();
  CLI::App* command = app.add_subcommand("doctor",
                                         "Looks whether a data folder is in order, also while it is served, and says "
                                         "what is not and what to do.");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  command->add_flag("--repair", to->repair,
                    "Remove what processes that were killed have left, and make what the schema has new");
  command->add_flag("--read-rows", to->read_rows,
                    "Read each value of each row, so that damage is found wherever it is");
  command->add_option("--format", to->format, "text for people, or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str()
      ->option_text("text|json");
  command->footer(
      "Exit code: 0 all is in order, or has been repaired; 3 something is not; 1 it can't be looked at.\n"
      "Example:\n  logquery doctor --data data --read-rows");
  OnParsed(command, to, RunDoctor, chosen);
}

void AddRestore(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<RestoreArguments>();
  CLI::App* command =
      app.add_subcommand("restore", "Makes a data folder of a backup, once all of it is found to be right.");
  command->add_option("backup", to->backup, "What backup has made")->required()->option_text("BACKUP");
  command->add_option("--data", to->data, "The data folder: absent or empty")->required()->option_text("DIR");
  command->footer("Example:\n  logquery restore backups/monday --data data");
  OnParsed(command, to, RunRestore, chosen);
}

}  // namespace logquery::shim
