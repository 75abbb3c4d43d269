// Counts the kinds of values at each path, and writes those paths whose values have one type.
#include "lib/tools/infer_schema.h"

#include <algorithm>
#include <array>
#include <optional>
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
#include "lib/model/time_text.h"

namespace logquery::endpoint {
namespace {

using base::Json;
using base::StrCat;

constexpr size_t kMostFields = 200;  // of a record, and of the row
constexpr int kMostDepth = 15;       // as deep as fields are learned
constexpr int64_t kExactInFloat = int64_t{1} << 53;

// The years 2000 to 2100, in which the times of rows lie.
constexpr int64_t kFirstSecond = 946'684'800;
constexpr int64_t kLastSecond = 4'102'444'800;

struct Unit {
  const char* name;
  int64_t in_second;
};
constexpr std::array<Unit, 4> kUnits = {{{"s", 1}, {"ms", 1'000}, {"us", 1'000'000}, {"ns", 1'000'000'000}}};

constexpr std::array<std::string_view, 14> kTimeNames = {
    "timestamp", "ts",        "time", "datetime", "logged_at", "event_time",         "created_at",
    "eventTime", "Timestamp", "date", "at",       "when",      "EdgeStartTimestamp", "Datetime"};
constexpr std::array<std::string_view, 6> kMessageNames = {"event_message", "message", "msg", "text", "log", "body"};

// The values at one path.
struct Node {
  std::string name;
  int64_t bools = 0, integers = 0, floats = 0, texts = 0, nulls = 0, records = 0, lists = 0;
  bool large = false;    // an integer that FLOAT64 does not hold exactly, or one beyond INT64
  bool unclear = false;  // lists of lists, lists of several records, too deep or too many fields
  int64_t times = 0;     // texts that are times
  std::array<int64_t, kUnits.size()> in_unit{};  // numbers that are times of this unit
  std::vector<Node> fields;                      // of records
  std::unique_ptr<Node> items;                   // of lists

  int64_t scalars() const { return bools + integers + floats + texts; }
  int64_t values() const { return scalars() + records + lists; }
};

Node* Child(std::vector<Node>& fields, const std::string& name) {
  for (Node& field : fields) {
    if (field.name == name) return &field;
  }
  if (fields.size() == kMostFields) return nullptr;
  fields.emplace_back();
  fields.back().name = name;
  return &fields.back();
}

void AddNumber(const Json& value, Node& node) {
  if (value.is_number_float()) {
    ++node.floats;
    // Seconds with a fraction, such as nginx's $msec.
    const double number = value.get<double>();
    if (number >= kFirstSecond && number < kLastSecond) ++node.in_unit[0];
    return;
  }
  ++node.integers;
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) {
    node.large = true;
    ++node.floats;
    return;
  }
  const auto number = value.get<int64_t>();
  node.large = node.large || number > kExactInFloat || number < -kExactInFloat;
  for (size_t i = 0; i < kUnits.size(); ++i) {
    const int64_t seconds = number / kUnits[i].in_second;
    if (seconds >= kFirstSecond && seconds < kLastSecond) ++node.in_unit[i];
  }
}

void AddFields(const Json& record, std::vector<Node>& fields, bool& all, int depth);

void AddValue(const Json& value, Node& node, int depth) {
  if (depth > kMostDepth) {
    node.unclear = true;
    return;
  }
  if (value.is_null()) {
    ++node.nulls;
  } else if (value.is_boolean()) {
    ++node.bools;
  } else if (value.is_number()) {
    AddNumber(value, node);
  } else if (value.is_string()) {
    ++node.texts;
    if (model::ParseTimestampText(value.text(), "UTC").ok()) ++node.times;
  } else if (value.is_object()) {
    ++node.records;
    bool all = true;
    AddFields(value, node.fields, all, depth + 1);
    node.unclear = node.unclear || !all;
  } else {
    // A list of one record is a record, as BigQuery writes it.
    if (value.size() == 1 && value[0].is_object()) return AddValue(value[0], node, depth);
    ++node.lists;
    if (node.items == nullptr) node.items = std::make_unique<Node>();
    for (const Json& item : value) {
      node.unclear = node.unclear || item.is_structured();
      if (!item.is_structured()) AddValue(item, *node.items, depth + 1);
    }
  }
}

void AddFields(const Json& record, std::vector<Node>& fields, bool& all, int depth) {
  for (const auto& [name, value] : record.items()) {
    Node* const field = Child(fields, name);
    all = all && field != nullptr;
    if (field != nullptr) AddValue(value, *field, depth);
  }
}

// nullopt: the values have no one type.
std::optional<std::string> ScalarType(const Node& node) {
  if (node.scalars() == 0) return std::nullopt;
  if (node.texts == node.scalars()) return "STRING";
  if (node.bools == node.scalars()) return "BOOL";
  if (node.texts > 0 || node.bools > 0) return std::nullopt;
  if (node.floats == 0) return "INT64";
  return node.large ? std::nullopt : std::optional<std::string>("FLOAT64");
}

// "sometimes a number and sometimes text".
std::string Kinds(const Node& node) {
  std::vector<std::string> kinds;
  const std::pair<int64_t, const char*> counts[] = {{node.bools, "true or false"},
                                                    {node.integers + node.floats, "a number"},
                                                    {node.texts, "text"},
                                                    {node.records, "a record"},
                                                    {node.lists, "a list"}};
  for (const auto& [count, kind] : counts) {
    if (count > 0) kinds.emplace_back(kind);
  }
  return StrCat("is sometimes ", base::Join(kinds, " and sometimes "));
}

class TypeWriter {
 public:
  explicit TypeWriter(std::vector<std::string>* notes) : notes_(notes) {}

  // nullopt: it is left out, and a note says why.
  std::optional<Json> TypeOf(const Node& node, const std::string& path) {
    if (node.values() == 0) return LeaveOut(path, node.nulls > 0 ? "is always null" : "has no value");
    if (node.records > 0) {
      if (node.records != node.values()) return LeaveOut(path, Kinds(node));
      Json fields = FieldsOf(node.fields, path + ".");
      if (node.unclear) notes_->push_back(StrCat(path, " has further fields, which are not declared"));
      if (fields.empty()) return LeaveOut(path, "has no field with one type");
      return fields;
    }
    if (node.lists > 0) {
      if (node.lists != node.values()) return LeaveOut(path, Kinds(node));
      if (node.unclear) return LeaveOut(path, "is a list of lists, or of several records");
      const std::optional<std::string> item = ScalarType(*node.items);
      if (!item)
        return LeaveOut(path, node.items->values() == 0 ? "is always an empty list" : "is a list of several types");
      return Json::array({*item});
    }
    if (node.unclear) return LeaveOut(path, "is nested too deep");
    std::optional<std::string> type = ScalarType(node);
    if (!type)
      return LeaveOut(
          path, node.large && node.texts + node.bools == 0 ? "has numbers that no type holds exactly" : Kinds(node));
    return Json(*std::move(type));
  }

  Json FieldsOf(const std::vector<Node>& fields, const std::string& prefix) {
    Json types = Json::object();
    std::vector<std::string> taken;
    for (const Node& field : fields) {
      const std::string path = prefix + field.name;
      const auto same = std::find_if(taken.begin(), taken.end(),
                                     [&](const std::string& name) { return base::EqualsIgnoreCase(name, field.name); });
      if (same != taken.end()) {
        notes_->push_back(
            StrCat(path, " is not declared: its name differs from ", *same, " in upper and lower case alone"));
        continue;
      }
      if (std::optional<Json> type = TypeOf(field, path)) {
        types[field.name] = *std::move(type);
        taken.push_back(field.name);
      }
    }
    return types;
  }

 private:
  std::optional<Json> LeaveOut(const std::string& path, const std::string& why) {
    notes_->push_back(StrCat(path, " is not declared, as it ", why, "; it is learned from rows, or kept as JSON"));
    return std::nullopt;
  }

  std::vector<std::string>* const notes_;
};

std::vector<std::string> NamesOf(const std::vector<Node>& fields) {
  std::vector<std::string> names;
  for (const Node& field : fields) names.push_back(field.name);
  return names;
}

const Node* FindNode(const std::vector<Node>& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Node& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

// The unit of numbers that are all times; nullptr: they are none.
const Unit* UnitOf(const Node& node) {
  const int64_t numbers = node.integers + node.floats;
  if (numbers == 0 || numbers != node.values()) return nullptr;
  for (size_t i = 0; i < kUnits.size(); ++i) {
    if (node.in_unit[i] == numbers) return &kUnits[i];
  }
  return nullptr;
}

bool HoldsTimes(const Node& node) { return (node.times > 0 && node.times == node.values()) || UnitOf(node) != nullptr; }

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
    AddFields(row, fields_, has_all_, 1);
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
    LOGQUERY_ASSIGN_OR_RETURN(const Node* const time, FindTime());
    Json log = {{"time", time->name}};
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

  absl::StatusOr<const Node*> FindTime() const {
    if (!options_.time.empty()) {
      const Node* const named = FindNode(fields_, options_.time);
      if (named == nullptr) {
        return absl::InvalidArgumentError(
            StrCat("the rows have no field ", base::QuotedText(options_.time),
                   base::DidYouMean(base::NearestNames(options_.time, NamesOf(fields_)))));
      }
      if (HoldsTimes(*named)) return named;
      return absl::InvalidArgumentError(StrCat("the field ", options_.time,
                                               " does not always have a time: ISO 8601 text, or a number of "
                                               "s, ms, us or ns since 1970"));
    }
    for (const std::string_view name : kTimeNames) {
      const Node* const known = FindNode(fields_, name);
      if (known != nullptr && HoldsTimes(*known)) return known;
    }
    std::vector<const Node*> times;
    std::vector<std::string> numbers;
    for (const Node& field : fields_) {
      if (!HoldsTimes(field)) continue;
      if (field.texts > 0) times.push_back(&field);
      if (field.texts == 0) numbers.push_back(field.name);
    }
    if (times.size() == 1) return times[0];
    std::vector<std::string> names;
    for (const Node* field : times) names.push_back(field->name);
    // A number may be anything, so it is not chosen by itself.
    if (names.empty()) names = std::move(numbers);
    const bool is_none = names.empty();
    if (is_none) names = NamesOf(fields_);
    names.resize(std::min<size_t>(names.size(), 20));
    return absl::InvalidArgumentError(StrCat(is_none
                                                 ? "no field has the times of the rows, which are ISO 8601 text, or "
                                                   "numbers of s, ms, us or ns since 1970; the fields are "
                                                 : "--time says which field has the times of the rows: ",
                                             base::Join(names, ", ")));
  }

  // The columns that the rules of a schema file allow.
  Json Columns(const Node& time, std::vector<std::string>& notes) const {
    const Json all = TypeWriter(&notes).FieldsOf(fields_, "");
    Json columns = Json::object();
    columns[time.name] = "TIMESTAMP";
    for (const auto& [name, type] : all.items()) {
      if (name == time.name) continue;
      const Json alone = {{"a", {{"time", "t0"}, {"columns", {{"t0", "TIMESTAMP"}, {name, type}}}}}};
      std::vector<model::SchemaProblem> problems;
      model::ReadOwnLogs(alone.ToString(), problems);
      if (problems.empty()) {
        columns[name] = type;
      } else {
        notes.push_back(StrCat(name, " is not declared: ", problems[0].message));
      }
    }
    if (!has_all_)
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

  void AddTimeNotes(const Node& time, std::vector<std::string>& notes) const {
    if (time.values() < rows_)
      notes.push_back(StrCat("rows without ", time.name, " are rejected: ", rows_ - time.values(), " of ", rows_));
    const Unit* const unit = UnitOf(time);
    if (unit != nullptr && std::string_view(unit->name) != "us")
      notes.push_back(
          StrCat(time.name, " is a number of ", unit->name, ": load the rows with --timestamp-unit ", unit->name));
  }

  const InferOptions options_;
  std::string file_;
  int64_t line_ = 0;
  int64_t rows_ = 0;
  int64_t skipped_ = 0;  // lines that are no rows
  std::vector<std::string> first_skipped_;
  bool has_all_ = true;
  std::vector<Node> fields_;
};

SchemaInference::SchemaInference(InferOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
SchemaInference::~SchemaInference() = default;
void SchemaInference::BeginFile(std::string name) { impl_->BeginFile(std::move(name)); }
void SchemaInference::Add(std::string_view line) { impl_->Add(line); }
int64_t SchemaInference::rows() const { return impl_->rows(); }
int64_t SchemaInference::lines() const { return impl_->lines(); }
absl::StatusOr<InferredSchema> SchemaInference::Finish() const { return impl_->Finish(); }

}  // namespace logquery::endpoint
