// The options of commands that maintain a data folder.
#include <memory>

#include "shim/command/command_options.h"

namespace logquery::shim {

void AddStats(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<StatsArguments>();
  CLI::App* command =
      app.add_subcommand("stats", "Counts what each log of a data folder holds, also while it is served.");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  AddFormat(command, to->format, "table", "table for people, or json for programs");
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
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunCluster, chosen);
}

void AddErase(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<EraseArguments>();
  CLI::App* command = app.add_subcommand("erase",
                                         "Removes a project from a data folder, also while it is served: its rows in "
                                         "every log, its rejected rows, what is known of its requests, and cached "
                                         "answers.");
  command->add_option("--project", to->project, "The project, as its rows name it")->required()->option_text("REF");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  command->add_flag("--dry-run", to->dry_run, "Only say what would go");
  AddFormat(command, to->format, "text", "text for people, or json for programs");
  command->footer(
      "Exit code: 0 it is gone; 3 it is gone, but there are files or rows that were not read and may be of the "
      "project; "
      "1 the folder has nothing of it, or a failure.\n"
      "Example:\n  logquery erase --data data --project abcdefghijklmnopqrst --dry-run");
  OnParsed(command, to, RunErase, chosen);
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
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunBackup, chosen);
}

void AddExport(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<ExportArguments>();
  CLI::App* command =
      app.add_subcommand("export",
                         "Writes the rows of a data folder as Parquet, a file for each log and day, with "
                         "the statements that load them into PostgreSQL, ClickHouse and BigQuery.");
  command->add_option("--data", to->data, "The data folder, which no server writes to")->required()->option_text("DIR");
  command
      ->add_option(
          "--out", to->out,
          "Where to: a folder that is absent or empty, or one that an earlier export wrote to, which goes on there")
      ->required()
      ->option_text("OUT");
  command->add_option("--logs", to->logs, "Only these logs, with commas between them; without it: all")
      ->delimiter(',')
      ->option_text("LOG,...");
  command
      ->add_option("--from", to->from, "The first day, in UTC, such as 2026-01-15; without it: the first that has rows")
      ->option_text("DAY");
  command->add_option("--to", to->to, "The last day; without it: the last that has rows")->option_text("DAY");
  command
      ->add_option("--database", to->database, "The engine's database, schema or dataset that the statements load into")
      ->capture_default_str()
      ->option_text("NAME");
  command->add_option("--memory-limit-mb", to->memory_limit_mb, "How much memory it may use")
      ->check(CLI::Range(int64_t{64}, int64_t{1} << 20))
      ->capture_default_str()
      ->option_text("MB");
  command->footer(
      "When it is interrupted, run it again: files that are whole stay.\n"
      "Example:\n  logquery export --data data --out export --logs edge_logs --from 2026-01-01 --to 2026-01-31");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunExport, chosen);
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
  AddFormat(command, to->format, "text", "text for people, or json for programs");
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
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunRestore, chosen);
}

}  // namespace logquery::shim
