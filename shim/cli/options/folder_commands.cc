// The options of commands that maintain a data folder.
#include <memory>

#include "shim/cli/options/command_options.h"
#include "shim/cli/options/packed_records_option.h"

namespace logquery::shim {

CommandNode DeclareStats() {
  auto to = std::make_shared<StatsArguments>();
  CommandNode command("stats", "Shows what each log of a data folder contains, also while a server runs.");
  command.Add("--data", "DIR", "The data folder", &to->data).Required();
  AddFormat(command, to->format, "table", "table for people, or json for programs");
  command.footer = "Example:\n  logquery stats --data data";
  command.Runs(to, RunStats);
  return command;
}

CommandNode DeclareCluster() {
  auto to = std::make_shared<ClusterArguments>();
  CommandNode command("cluster",
                      "Rewrites the rows of days before yesterday sorted by project, so that queries find a project's "
                      "rows sooner. A server does this by itself.");
  command.Add("--data", "DIR", "The data folder; no server may own it", &to->data).Required();
  command.Add("--packed-records", kPackedRecordsValues, kPackedRecordsHelp, &to->packed_records);
  command.footer = "Example:\n  logquery cluster --data data";
  AddReporting(command, to->reporting);
  command.Runs(to, RunCluster);
  return command;
}

CommandNode DeclareErase() {
  auto to = std::make_shared<EraseArguments>();
  CommandNode command("erase",
                      "Removes a project from a data folder, also while a server runs: its rows in every log, its "
                      "rejected rows, the records of its requests, and cached answers.");
  command.Add("--project", "REF", "The project, as its rows name it", &to->project).Required();
  command.Add("--data", "DIR", "The data folder", &to->data).Required();
  command.AddFlag("--dry-run", "Only report what would be removed", &to->dry_run);
  AddFormat(command, to->format, "text", "text for people, or json for programs");
  command.footer =
      "Exit code: 0 removed; 3 removed, but unread files or rows may still belong to the project; 1 the folder has "
      "nothing of the project, or a failure.\n"
      "Example:\n  logquery erase --data data --project abcdefghijklmnopqrst --dry-run";
  command.Runs(to, RunErase);
  return command;
}

CommandNode DeclareBackup() {
  auto to = std::make_shared<BackupArguments>();
  CommandNode command("backup",
                      "Copies the state of a data folder at one moment, with a digest of each file. A server that owns "
                      "the folder keeps answering.");
  command.Add("--data", "DIR", "The data folder", &to->data).Required();
  command.Add("target", "TARGET", "The target folder; absent or empty", &to->target).Required();
  command.footer = "Example:\n  logquery backup --data data backups/monday";
  AddReporting(command, to->reporting);
  command.Runs(to, RunBackup);
  return command;
}

CommandNode DeclareExport() {
  auto to = std::make_shared<ExportArguments>();
  CommandNode command("export",
                      "Writes the rows of a data folder as Parquet, one file for each log and day, with the statements "
                      "that load them into PostgreSQL, ClickHouse and BigQuery.");
  command.Add("--data", "DIR", "The data folder; no server may be writing to it", &to->data).Required();
  command.Add("--out", "OUT", "The target folder: absent or empty, or one that an earlier export wrote to", &to->out)
      .Required();
  command.Add("--logs", "LOG,...", "Only these logs, with commas between them; without it: all", &to->logs)
      .Takes(ValueCount::kCommas);
  command.Add("--from", "DAY", "The first day, in UTC, such as 2026-01-15; without it: the first that has rows",
              &to->from);
  command.Add("--to", "DAY", "The last day; without it: the last that has rows", &to->to);
  command.Add("--database", "NAME", "The engine's database, schema or dataset that the statements load into",
              &to->database);
  command.Add("--layout", "otel",
              "The rows of all logs for the one table of `logquery schema --layout otel`; without it for a table each",
              &to->layout);
  command.Add("--memory-limit-mb", "MB", "How much memory it may use", &to->memory_limit_mb)
      .Between(int64_t{64}, int64_t{1} << 20);
  command.footer =
      "If it is interrupted, run it again: complete files stay.\n"
      "Example:\n  logquery export --data data --out export --logs edge_logs --from 2026-01-01 --to 2026-01-31";
  AddReporting(command, to->reporting);
  command.Runs(to, RunExport);
  return command;
}

CommandNode DeclareDoctor() {
  auto to = std::make_shared<DoctorArguments>();
  CommandNode command("doctor",
                      "Checks a data folder for problems, also while a server runs, and says what to do about each.");
  command.Add("--data", "DIR", "The data folder", &to->data).Required();
  command.AddFlag("--repair", "Remove leftovers of killed processes, and add what a newer schema needs", &to->repair);
  command.AddFlag("--read-rows", "Read every value of every row, to find damage anywhere", &to->read_rows);
  AddFormat(command, to->format, "text", "text for people, or json for programs");
  command.footer =
      "Exit code: 0 no problem, or repaired; 3 a problem; 1 the folder cannot be checked.\n"
      "Example:\n  logquery doctor --data data --read-rows";
  command.Runs(to, RunDoctor);
  return command;
}

CommandNode DeclareRestore() {
  auto to = std::make_shared<RestoreArguments>();
  CommandNode command("restore", "Creates a data folder from a backup, after it has checked the whole backup.");
  command.Add("backup", "BACKUP", "A folder that backup wrote", &to->backup).Required();
  command.Add("--data", "DIR", "The new data folder; absent or empty", &to->data).Required();
  command.footer = "Example:\n  logquery restore backups/monday --data data";
  AddReporting(command, to->reporting);
  command.Runs(to, RunRestore);
  return command;
}

}  // namespace logquery::shim
