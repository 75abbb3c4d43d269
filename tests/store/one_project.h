// The view of test.logs that a token of one project has: its rows and the state that receipts are made of.
#ifndef LOGQUERY_TESTS_STORE_ONE_PROJECT_H_
#define LOGQUERY_TESTS_STORE_ONE_PROJECT_H_

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "lib/model/scope_slot.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {

struct ProjectView {
  std::string rows;  // all values of all rows
  std::string mark;
  friend bool operator==(const ProjectView& a, const ProjectView& b) { return a.rows == b.rows && a.mark == b.mark; }
};

class MarkedSink : public CollectingSink {
 public:
  void SetMarks(std::vector<TableMark> given) override { marks = std::move(given); }
  std::vector<TableMark> marks;
};

// `project` empty: what a token of all projects sees.
inline ProjectView ViewOf(QueryBackend& backend, const std::string& project) {
  PreparedQuery::Parts parts;
  parts.dialect_text = absl::StrCat("SELECT logs::VARCHAR FROM \"test.logs\" AS logs",
                                    project.empty() ? "" : " WHERE project = $1", " ORDER BY 1");
  parts.schema = {{"row", Type::String()}};
  parts.tables = {"test.logs"};
  if (!project.empty()) parts.slots = {{model::kProjectScopeSlot, Type::String()}};
  const PreparedQuery query(std::move(parts));
  const Bindings bindings = project.empty() ? Bindings() : Bindings{Value::String(project)};
  MarkedSink sink;
  const absl::Status status = backend.Execute(query, bindings, {}, {}, sink);
  INFO(status.ToString());
  REQUIRE(status.ok());
  ProjectView view;
  for (const std::vector<Value>& row : sink.rows()) absl::StrAppend(&view.rows, row[0].string_value(), "\n");
  for (const TableMark& mark : sink.marks) {
    if (mark.table == "test.logs") view.mark = mark.mark;
  }
  CHECK_FALSE(view.mark.empty());
  return view;
}

inline std::string ProjectRow(const std::string& project, absl::Time time, std::string_view message = "m") {
  return absl::StrCat("{\"timestamp\":", absl::ToUnixMicros(time), ",\"project\":\"", project,
                      "\",\"event_message\":\"", absl::string_view(message.data(), message.size()), "\"}");
}

}  // namespace logquery::store

#endif  // LOGQUERY_TESTS_STORE_ONE_PROJECT_H_
