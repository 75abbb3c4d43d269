// The options of commands that maintain a data folder.
#include <memory>

#include "shim/cli/options/command_options.h"

namespace logquery::shim {

void AddStats(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<StatsArguments>();
  CLI::App* command =
      app.add_subcommand("stats", "Shows what each log of a data folder contains, also while a server runs.");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  AddFormat(command, to->format, "table", "table for people, or json for programs");
  command->footer("Example:\n  logquery stats --data data");
  OnParsed(command, to, RunStats, chosen);
}

void AddCluster(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<ClusterArguments>();
  CLI::App* command = app.add_subcommand("cluster",
                                         "Rewrites the rows of days before yesterday sorted by project, so that "
                                         "queries find a project's rows sooner. A server does this by itself.");
  command->add_option("--data", to->data, "The data folder; no server may own it")->required()->option_text("DIR");
  command->footer("Example:\n  logquery cluster --data data");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunCluster, chosen);
}

void AddErase(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<EraseArguments>();
  CLI::App* command =
      app.add_subcommand("erase",
                         "Removes a project from a data folder, also while a server runs: its rows in every log, its "
                         "rejected rows, the records of its requests, and cached answers.");
  command->add_option("--project", to->project, "The project, as its rows name it")->required()->option_text("REF");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  command->add_flag("--dry-run", to->dry_run, "Only report what would be removed");
  AddFormat(command, to->format, "text", "text for people, or json for programs");
  command->footer(
      "Exit code: 0 removed; 3 removed, but unread files or rows may still belong to the project; 1 the folder has "
      "nothing of the project, or a failure.\n"
      "Example:\n  logquery erase --data data --project abcdefghijklmnopqrst --dry-run");
  OnParsed(command, to, RunErase, chosen);
}

void AddBackup(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<BackupArguments>();
  CLI::App* command = app.add_subcommand("backup",
                                         "Copies the state of a data folder at one moment, with a digest of each file. "
                                         "A server that owns the folder keeps answering.");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  command->add_option("target", to->target, "The target folder; absent or empty")->required()->option_text("TARGET");
  command->footer("Example:\n  logquery backup --data data backups/monday");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunBackup, chosen);
}

void AddExport(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<ExportArguments>();
  CLI::App* command =
      app.add_subcommand("export",
                         "Writes the rows of a data folder as Parquet, one file for each log and day, with the "
                         "statements that load them into PostgreSQL, ClickHouse and BigQuery.");
  command->add_option("--data", to->data, "The data folder; no server may be writing to it")
      ->required()
      ->option_text("DIR");
  command->add_option("--out", to->out, "The target folder: absent or empty, or one that an earlier export wrote to")
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
      "If it is interrupted, run it again: complete files stay.\n"
      "Example:\n  logquery export --data data --out export --logs edge_logs --from 2026-01-01 --to 2026-01-31");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunExport, chosen);
}

void AddDoctor(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<DoctorArguments>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Checks a data folder for problems, also while a server runs, and says what to do about each.");
  command->add_option("--data", to->data, "The data folder")->required()->option_text("DIR");
  command->add_flag("--repair", to->repair, "Remove leftovers of killed processes, and add what a newer schema needs");
  command->add_flag("--read-rows", to->read_rows, "Read every value of every row, to find damage anywhere");
  AddFormat(command, to->format, "text", "text for people, or json for programs");
  command->footer(
      "Exit code: 0 no problem, or repaired; 3 a problem; 1 the folder cannot be checked.\n"
      "Example:\n  logquery doctor --data data --read-rows");
  OnParsed(command, to, RunDoctor, chosen);
}

void AddRestore(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<RestoreArguments>();
  CLI::App* command =
      app.add_subcommand("restore", "Creates a data folder from a backup, after it has checked the whole backup.");
  command->add_option("backup", to->backup, "A folder that backup wrote")->required()->option_text("BACKUP");
  command->add_option("--data", to->data, "The new data folder; absent or empty")->required()->option_text("DIR");
  command->footer("Example:\n  logquery restore backups/monday --data data");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunRestore, chosen);
}

}  // namespace logquery::shim
