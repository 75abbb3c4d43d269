// Finds the columns that have a role by their names and values, and writes the file.
#include "lib/tools/infer_schema.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/json_parse.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"
#include "lib/model/own_logs.h"
#include "lib/tools/field_types.h"
#include "lib/tools/row_values.h"

namespace logquery::endpoint {
namespace {

using base::Json;
using base::StrCat;

constexpr std::array<std::string_view, 14> kTimeNames = {
    "timestamp", "ts",        "time", "datetime", "logged_at", "event_time",         "created_at",
    "eventTime", "Timestamp", "date", "at",       "when",      "EdgeStartTimestamp", "Datetime"};
constexpr std::array<std::string_view, 6> kMessageNames = {"event_message", "message", "msg", "text", "log", "body"};

std::vector<std::string> NamesOf(const std::vector<FieldValues>& fields) {
  std::vector<std::string> names;
  for (const FieldValues& field : fields) names.push_back(field.name);
  return names;
}

const FieldValues* FindField(const std::vector<FieldValues>& fields, std::string_view name) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const FieldValues& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

// The unit that load has to be told of; nullptr: the times are texts.
const TimeUnit* UnitOf(const FieldValues& field) {
  const size_t best = field.BestUnit();
  return field.times[best] > field.time_texts ? &kTimeUnits[best] : nullptr;
}

// "; the first value that is none is at app_logs.ndjson:7: "yesterday"", for fields of which some value is no time.
std::string FirstWithoutTime(const FieldValues& field) {
  const ValueSample& first = field.first_without[field.BestUnit()];
  return first.row == 0 ? "" : StrCat("; the first value that is none is at ", first.place, ": ", first.value);
}

}  // namespace

class SchemaInference::Impl {
 public:
  explicit Impl(InferOptions options) : options_(std::move(options)) {}

  void BeginFile(std::string name) {
    file_ = std::move(name);
    line_ = 0;
  }

  void Add(std::string_view line) {
    ++line_;
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty()) return;
    if (line.size() > kLongestRow) return Skip(StrCat("is longer than ", kLongestRow, " bytes"));
    Json row;
    base::JsonTextError error;
    if (!base::ParseJsonText(line, row, error)) return Skip(Reason(line, std::move(error)));
    if (!row.is_object()) return Skip("is no JSON object");
    ++rows_;
    fields_.Add(row, Place());
  }
  int64_t rows() const { return rows_; }
  int64_t lines() const { return rows_ + skipped_; }

  absl::StatusOr<InferredSchema> Finish() const {
    LOGQUERY_RETURN_IF_ERROR(CheckLines());
    InferredSchema schema;
    if (skipped_ > 0) {
      schema.notes.push_back(StrCat("skipped ", base::WithCommas(skipped_), " of ", base::WithCommas(lines()),
                                    " lines, which ", skipped_ == 1 ? "is no row" : "are no rows"));
      for (const std::string& line : first_skipped_) schema.notes.push_back(StrCat("skipped: ", line));
      const int64_t more = skipped_ - static_cast<int64_t>(first_skipped_.size());
      if (more > 0) schema.notes.push_back(StrCat("skipped: ", base::WithCommas(more), " more"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(const FieldValues* const time, FindTime());
    Json log = Json::object();
    if (const std::string name = model::LogOfTable(options_.log); name != options_.log) log["log"] = name;
    log["time"] = time->name;
    Json columns = Columns(*time, schema.notes);
    LOGQUERY_RETURN_IF_ERROR(NameProject(log, columns, schema.notes));
    NameMessage(log, columns);
    log["columns"] = std::move(columns);
    const Json file = {{options_.log, std::move(log)}};
    schema.json = file.ToString(2) + "\n";
    // The file's own rules report further errors, such as a name that no log may have.
    LOGQUERY_RETURN_IF_ERROR(model::ParseOwnLogs("the declaration", schema.json).status());
    AddTimeNotes(*time, schema.notes);
    return schema;
  }

 private:
  // A row is one line, so the columns alone are named.
  static std::string Reason(std::string_view line, base::JsonTextError error) {
    if (!error.syntax) return StrCat("the JSON ", error.message);
    constexpr std::string_view kSameLine = " of line 1, column ";
    if (const size_t at = error.message.find(kSameLine); at != std::string::npos)
      error.message.replace(at, kSameLine.size(), " of column ");
    return StrCat("not JSON at column ", base::FindPlace(line, error.offset).column, ": ", error.message);
  }

  std::string Place() const { return file_.empty() ? StrCat("line ", line_) : StrCat(file_, ":", line_); }

  void Skip(const std::string& reason) {
    constexpr size_t kMostNamed = 5;
    ++skipped_;
    if (first_skipped_.size() < kMostNamed) first_skipped_.push_back(StrCat(Place(), ": ", reason));
  }

  absl::Status CheckLines() const {
    if (lines() == 0) return absl::InvalidArgumentError("there is no row: a line with one JSON object");
    if (rows_ > 0 && rows_ >= skipped_) return absl::OkStatus();
    const std::string count = rows_ == 0 ? "no line is a row, which is one JSON object"
                                         : StrCat("only ", base::WithCommas(rows_), " of ", base::WithCommas(lines()),
                                                  " lines are rows, which are JSON objects");
    return absl::InvalidArgumentError(StrCat(count, "; the first that is none is ", first_skipped_[0]));
  }

  absl::StatusOr<const FieldValues*> FindTime() const {
    if (!options_.time.empty()) {
      const FieldValues* const named = FindField(fields_.fields(), options_.time);
      if (named == nullptr) {
        return absl::InvalidArgumentError(
            StrCat("the rows have no field ", base::QuotedText(options_.time),
                   base::DidYouMean(base::NearestNames(options_.time, NamesOf(fields_.fields())))));
      }
      if (named->HoldsTimes()) return named;
      return absl::InvalidArgumentError(StrCat("the field ", options_.time,
                                               " does not always have a time: ISO 8601 text, or a number of "
                                               "s, ms, us or ns since 1970",
                                               FirstWithoutTime(*named), ClfHint()));
    }
    for (const std::string_view name : kTimeNames) {
      const FieldValues* const known = FindField(fields_.fields(), name);
      if (known != nullptr && known->HoldsTimes()) return known;
    }
    std::vector<const FieldValues*> times;
    std::vector<std::string> numbers;
    for (const FieldValues& field : fields_.fields()) {
      if (!field.HoldsTimes()) continue;
      if (UnitOf(field) == nullptr) times.push_back(&field);
      if (UnitOf(field) != nullptr) numbers.push_back(field.name);
    }
    if (times.size() == 1) return times[0];
    std::vector<std::string> names;
    for (const FieldValues* field : times) names.push_back(field->name);
    // A number may be anything, so it is not chosen by itself.
    if (names.empty()) names = std::move(numbers);
    const bool is_none = names.empty();
    if (is_none) names = NamesOf(fields_.fields());
    names.resize(std::min<size_t>(names.size(), 20));
    return absl::InvalidArgumentError(StrCat(is_none
                                                 ? "no field has the times of the rows, which are ISO 8601 text, or "
                                                   "numbers of s, ms, us or ns since 1970; the fields are "
                                                 : "--time says which field has the times of the rows: ",
                                             base::Join(names, ", "), is_none ? ClfHint() : ""));
  }

  // The form of access logs, which is not read.
  std::string ClfHint() const {
    for (const FieldValues& field : fields_.fields()) {
      if (field.clf_time.row == 0) continue;
      return StrCat("; ", field.name, " has times as nginx's $time_local writes them, ", field.clf_time.value,
                    ", which are not read: let nginx write $time_iso8601, or $msec, in its place");
    }
    return "";
  }

  // The columns that the rules of a schema file allow.
  Json Columns(const FieldValues& time, std::vector<std::string>& notes) const {
    const Json all = TypesOf(fields_.fields(), time, notes);
    Json columns = Json::object();
    columns[time.name] = "TIMESTAMP";
    for (const auto& [name, type] : all.items()) {
      const Json alone = {{"a", {{"time", "t0"}, {"columns", {{"t0", "TIMESTAMP"}, {name, type}}}}}};
      std::vector<model::SchemaProblem> problems;
      model::ReadOwnLogs(alone.ToString(), problems);
      if (problems.empty()) {
        columns[name] = type;
      } else {
        notes.push_back(StrCat(name, " is not declared: ", problems[0].message));
      }
    }
    if (!fields_.has_all())
      notes.push_back(StrCat("the rows have more than ", kMostFields, " fields; further ones are not declared"));
    return columns;
  }

  absl::Status NameProject(Json& log, const Json& columns, std::vector<std::string>& notes) const {
    const std::string path = options_.project.empty() ? "project" : options_.project;
    Json names = Json::array();
    const Json* type = &columns;
    for (std::string_view rest = path; type != nullptr;) {
      const size_t dot = rest.find('.');
      const std::string name(rest.substr(0, dot));
      names.push_back(name);
      type = type->is_object() && type->contains(name) ? &(*type)[name] : nullptr;
      if (dot == rest.npos) break;
      rest.remove_prefix(dot + 1);
    }
    if (type != nullptr && *type == "STRING") {
      log["project"] = std::move(names);
      return absl::OkStatus();
    }
    if (!options_.project.empty())
      return absl::InvalidArgumentError(
          StrCat("the rows have no field ", base::QuotedText(path), " that is always text"));
    notes.emplace_back(
        "no field says which project a row belongs to, so tokens of one project can't read the log; --project names "
        "one");
    return absl::OkStatus();
  }

  static void NameMessage(Json& log, const Json& columns) {
    for (const std::string_view name : kMessageNames) {
      const auto found = columns.find(std::string(name));
      if (found == columns.end() || *found != "STRING") continue;
      if (name != "event_message") log["message"] = std::string(name);
      return;
    }
  }

  void AddTimeNotes(const FieldValues& time, std::vector<std::string>& notes) const {
    if (time.values() < rows_)
      notes.push_back(StrCat("rows without ", time.name, " are rejected: ", rows_ - time.values(), " of ", rows_));
    const int64_t without = time.values() - time.times[time.BestUnit()];
    if (without > 0)
      notes.push_back(StrCat(time.name, " is no time in ", base::WithCommas(without), " of ",
                             base::Counted(rows_, "row"), ", which load rejects", FirstWithoutTime(time)));
    const TimeUnit* const unit = UnitOf(time);
    if (unit == nullptr) return;
    if (unit->name != "us")
      notes.push_back(
          StrCat(time.name, " is a number of ", unit->name, ": load the rows with --timestamp-unit ", unit->name));
    for (const FieldValues& field : fields_.fields()) {
      const bool is_time = &field != &time && field.values() > 0 && field.times[time.BestUnit()] == field.values();
      if (is_time && field.count(ValueKind::kInteger) == field.values())
        notes.push_back(StrCat(field.name, " stays INT64, though its numbers are times in ", unit->name,
                               ", too: as TIMESTAMP in \"columns\" they are read in the same unit"));
    }
  }

  const InferOptions options_;
  std::string file_;
  int64_t line_ = 0;
  int64_t rows_ = 0;
  int64_t skipped_ = 0;  // lines that are no rows
  std::vector<std::string> first_skipped_;
  RowFields fields_;
};

SchemaInference::SchemaInference(InferOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
SchemaInference::~SchemaInference() = default;
void SchemaInference::BeginFile(std::string name) { impl_->BeginFile(std::move(name)); }
void SchemaInference::Add(std::string_view line) { impl_->Add(line); }
int64_t SchemaInference::rows() const { return impl_->rows(); }
int64_t SchemaInference::lines() const { return impl_->lines(); }
absl::StatusOr<InferredSchema> SchemaInference::Finish() const { return impl_->Finish(); }

}  // namespace logquery::endpoint
