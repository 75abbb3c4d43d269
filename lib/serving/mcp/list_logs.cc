// Takes fields from the answer's schema, which is that of the caller's project, and examples from its rows.
#include "lib/serving/mcp/list_logs.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lib/base/back_quoted.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/serving/mcp/shown_text.h"
#include "logquery/error.h"
#include "logquery/sandbox_verdict.h"

namespace logquery::serving {
namespace {

using base::Json;
using base::StrCat;

constexpr size_t kMaxFields = 400;
constexpr size_t kMaxExamples = 3;
constexpr size_t kMaxExampleBytes = 80;
constexpr size_t kMaxPathBytes = 256;
// How many values of a field are looked at: a record may hold a list.
constexpr size_t kMaxValues = 32;

using Values = std::vector<const Json*>;

// Collects fields in the order of the schema, each record before its fields.
class Fields {
 public:
  void Add(const std::string& path, const Type& type, const Values& values) {
    if (list_.size() == kMaxFields) {
      is_cut_ = true;
      return;
    }
    const Type& element = type.is_array() && !type.is_record() ? type.element() : type;
    const bool has_fields = element.is_record() || element.is_struct();
    Json field = {{"path", ShownText(path, kMaxPathBytes, counts_)}, {"type", PlainTypeName(type)}};
    if (!has_fields) field["examples"] = Examples(values);
    list_.push_back(std::move(field));
    if (!has_fields) return;
    const Values inner = Elements(values);
    for (const Field& part : element.fields()) {
      Values of_part;
      for (const Json* value : inner) {
        if (const auto found = value->find(part.name); found != value->end()) of_part.push_back(&*found);
      }
      Add(StrCat(path, ".", part.name), part.type, of_part);
    }
  }

  Json Take() { return std::move(list_); }
  bool is_cut() const { return is_cut_; }
  const ShownCounts& counts() const { return counts_; }

 private:
  Json Examples(const Values& values) {
    std::vector<std::string> texts;
    for (const Json* value : values) {
      if (value->is_null() || texts.size() == kMaxExamples) continue;
      std::string text = ShownText(value->is_string() ? value->text() : value->ToString(), kMaxExampleBytes, counts_);
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
    }
    return texts;
  }

  // The objects among the values and in lists among them.
  static Values Elements(const Values& values) {
    Values elements;
    for (const Json* value : values) {
      if (value->is_object()) elements.push_back(value);
      if (!value->is_array()) continue;
      for (const Json& element : *value) {
        if (elements.size() < kMaxValues && element.is_object()) elements.push_back(&element);
      }
    }
    return elements;
  }

  Json list_ = Json::array();
  bool is_cut_ = false;
  ShownCounts counts_;
};

Json LogsOf(const RegisteredEndpoint& sandbox) {
  const Endpoint& endpoint = sandbox.definition();
  Json logs = Json::array();
  for (const std::string& log : TablesForCallers(sandbox)) {
    logs.push_back({{"name", log}, {"endpoint", endpoint.name}});
  }
  return logs;
}

constexpr std::string_view kUnnestNote =
    "Fields below a RECORD are read by unnesting each record: FROM edge_logs AS t CROSS JOIN UNNEST(t.metadata) AS m "
    "CROSS JOIN UNNEST(m.request) AS r, then r.method. LEFT JOIN UNNEST keeps rows without the record.";

}  // namespace

Json ListLogNames(const ToolSet& tools) {
  Json logs = Json::array();
  std::string text;
  for (const RegisteredEndpoint* sandbox : tools.sandboxes()) {
    const Endpoint& endpoint = sandbox->definition();
    base::StrAppend(&text, "Logs of ", endpoint.name, ": ", base::Join(TablesForCallers(*sandbox), ", "), "\n");
    const Json of_sandbox = LogsOf(*sandbox);
    for (const Json& log : of_sandbox) logs.push_back(log);
  }
  const std::string note = "Call list_logs with `log` for the fields of one log, with examples.";
  return Result({{"notice", DataNotice()},
                 {"endpoint", tools.sandboxes().front()->definition().name},
                 {"logs", std::move(logs)},
                 {"notes", Json::array({note})}},
                StrCat(text, "Note: ", note, "\n"));
}

absl::StatusOr<std::string> ExampleQuery(const EndpointRegistry& registry, const RegisteredEndpoint& sandbox,
                                         std::string_view log) {
  const std::vector<std::string> logs = TablesForCallers(sandbox);
  const auto found = std::find_if(logs.begin(), logs.end(),
                                  [log](const std::string& name) { return base::EqualsIgnoreCase(name, log); });
  if (found == logs.end()) {
    ErrorDetails details;
    details.parameter = kLogArgument;
    details.nearest = base::NearestNames(log, logs);
    return WithErrorDetails(
        absl::NotFoundError(StrCat("there is no log ", base::QuotedText(log), "; there are ", base::Join(logs, ", "))),
        details);
  }
  const std::string all = StrCat("SELECT * FROM ", base::BackQuoted(*found));
  // The verdict gives only the order: the fields are those of the answer.
  LOGQUERY_ASSIGN_OR_RETURN(const SandboxVerdict verdict, CheckSandbox(registry, sandbox, all));
  std::string order;
  for (const Field& column : verdict.result) {
    if (order.empty() && column.type.is(TypeKind::kTimestamp)) {
      order = StrCat(" ORDER BY ", base::BackQuoted(column.name), " DESC");
    }
  }
  return StrCat(all, order, " LIMIT ", kExampleRows);
}

absl::StatusOr<Json> ListFields(const QueryAnswer& answer, std::string_view log, RowsContext context) {
  std::vector<Json> rows;
  LOGQUERY_RETURN_IF_ERROR(ForEachRow(answer, [&rows](Json row) {
    rows.push_back(std::move(row));
    return true;
  }));
  Fields fields;
  for (const Field& column : answer.schema) {
    Values values;
    for (const Json& row : rows) {
      if (const auto found = row.find(column.name); found != row.end()) values.push_back(&*found);
    }
    fields.Add(column.name, column.type, values);
  }
  if (context.endpoint->language == QueryLanguage::kBigQuery) context.notes.emplace_back(kUnnestNote);
  if (rows.empty()) {
    context.notes.emplace_back("The log has no rows in this time range, so that there are no examples.");
  }
  if (fields.is_cut()) context.notes.push_back(StrCat("Only the first ", kMaxFields, " fields are listed."));
  const Json list = fields.Take();
  std::string lines;
  for (const Json& field : list) base::StrAppend(&lines, field.ToString(), "\n");
  std::string text = StrCat("The log ", log, " of ", context.endpoint->name, ":\n",
                            FramedData("its fields, with examples from its newest rows", lines));
  for (const std::string& note : context.notes) base::StrAppend(&text, "Note: ", note, "\n");
  return Result({{"notice", DataNotice()},
                 {"endpoint", context.endpoint->name},
                 {"logs", Json::array({{{"name", log}, {"endpoint", context.endpoint->name}}})},
                 {"fields", list},
                 {"notes", context.notes}},
                std::move(text));
}

}  // namespace logquery::serving
