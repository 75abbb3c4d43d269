// The command cluster: rewrites the closed days of a folder, and prints each.
#include <ostream>
#include <string>

#include "lib/base/json/value.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/packed_records_option.h"
#include "shim/cli/options/reporting.h"
#include "shim/observe/display.h"

namespace logquery::shim {

int RunCluster(const ClusterArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<PackedRecords> packed = ParsePackedRecords(arguments.packed_records);
  if (!packed.ok()) return Fail(terminal, packed.status());
  const absl::StatusOr<int64_t> rows = ClusterFolder(arguments.data, *packed, [&](const std::string& day) {
    if (PrintsNotes(arguments.reporting)) terminal.err << day << std::endl;
  });
  if (!rows.ok()) return Fail(terminal, rows.status());
  PrintReport(arguments.reporting,
              *rows == 0 ? std::string("nothing to do: every closed day is already clustered")
                         : Counted(*rows, "row") + (*rows == 1 ? " is" : " are") + " in the order of projects",
              {{"rows", *rows}}, terminal);
  return kExitOk;
}

}  // namespace logquery::shim
