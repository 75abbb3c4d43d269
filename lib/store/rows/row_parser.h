// Parses one line of NDJSON into one row of a chunk, in one pass, against the declared and the learned fields.
//
// Implements the rules for rows in the semantics ("Loading"): the forms of records, the values that can be cast,
// colliding keys, and required fields. Each parsing thread has its own parser.
#ifndef LOGQUERY_LIB_STORE_ROWS_ROW_PARSER_H_
#define LOGQUERY_LIB_STORE_ROWS_ROW_PARSER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/store/learn/field_survey.h"
#include "lib/store/rows/chunk_builder.h"
#include "lib/store/rows/event_rule.h"
#include "lib/store/rows/json_reader.h"
#include "lib/store/rows/row_plan.h"
#include "lib/store/rows/scalar_cast.h"

namespace logquery::store {

class RowParser {
 public:
  struct Options {
    TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;
    std::string id_prefix;      // prefix of generated ids; the line's number follows
    bool survey = false;        // whether fields without a column are surveyed
    bool ends_at_news = false;  // stop reading after the rows with the first news
    // A log whose rows need not be surveyed, because there is no room for more columns; borrowed, may be nullptr.
    const RowOwners* full = nullptr;
  };

  // `plan` is borrowed.
  RowParser(const RowPlan* plan, Options options);

  // Parses the line into `row`, which must be empty. Half a surrogate pair becomes U+FFFD. Returns false if the line is
  // not a valid row; then reason() says why, and the row is empty again. The builder borrows text from `line`. `event`, which is
  // borrowed for the call, has additional rules; nullptr for rows of files.
  bool Parse(std::string_view line, int64_t line_number, ChunkBuilder* out, uint64_t row,
             const EventRule* event = nullptr);

  const std::string& reason() const { return reason_; }
  // The reason without values of the line: rows that fail in the same way at the same field have the same kind.
  const std::string& kind() const { return kind_; }

  // Paths of fields that no column holds, such as "metadata.request.new"; at most 1,000.
  const base::StringSet& undeclared_fields() const { return undeclared_fields_; }
  const RowSurveys& survey() const { return survey_; }
  // The number of values that did not fit the column of their field, and were kept as JSON, by the event rule of their
  // row and the column.
  using Misfits = std::map<std::pair<const EventRule*, const FieldNode*>, int64_t>;
  const Misfits& misfits() const { return misfits_; }

 private:
  // A field that no column holds.
  struct Undeclared {
    uint64_t object = 0;                // the object that contains it
    const FieldNode* column = nullptr;  // whose type does not fit; nullptr: there is no column
    bool in_list = false;
    std::vector<std::string> path;  // the names leading to it; for a list's element its index
    std::string_view key;           // as written, without quotes
    std::string_view text;          // the key, unescaped
    std::string_view value;         // JSON
  };

  bool ParseText(std::string_view line, int64_t line_number, ChunkBuilder* out, uint64_t row, const EventRule* event,
                 bool& met_half_pair);
  bool ParseRow(std::string_view line, int64_t line_number);
  void FindProject(std::string_view line);
  bool Object(const FieldNode& node, uint64_t row);
  bool Member(const FieldNode& node, uint64_t object, int* previous, uint64_t row);
  int FindField(const FieldNode& node, std::string_view key, int previous);
  bool FieldValue(const FieldNode& node, uint64_t row);
  bool Record(const FieldNode& node, uint64_t row);
  bool StructElement(const FieldNode& node, uint64_t row);
  bool List(const FieldNode& node, uint64_t row);
  bool Scalar(const FieldNode& node, uint64_t row);
  bool LearnedFits(const FieldNode& field);
  bool ScalarFits(TypeKind type, bool casts);
  bool ElementsFit(const FieldNode& field);
  void Store(const FieldNode& node, int slot, const ScalarValue& value, uint64_t row);
  bool AddUndeclared(const FieldNode& node, uint64_t object, const JsonReader::String& key, const FieldNode* column);
  bool CheckUndeclaredKeys(uint64_t object);
  void StoreUndeclared();
  bool SetDefaults(int64_t line_number);
  bool SetTime();
  std::string TimeHint() const;
  void NoteDefaults(std::string_view key);
  void SetMessage(const FieldNode& message);
  bool SetProject(const FieldNode& project);
  bool CheckProject(const FieldNode& project);
  void StoreProject(const FieldNode& project, std::string_view name);
  void DropUndeclared(const char* value);
  // Returns the part of a value that a reason quotes.
  static std::string Excerpt(std::string_view value);
  // Fails with the field's path and, if requested, its value, which is next. `kind` is the problem without values; empty:
  // the problem has none.
  bool FailField(const FieldNode& node, std::string_view problem, std::string_view kind = {});
  bool FailValue(const FieldNode& node, std::string_view wanted, std::string_view kind = {});
  std::string_view Text(const JsonReader::String& string);

  const RowPlan* const plan_;
  const Options options_;
  // For each key of the plan, the object in which it was seen last, and the key that followed it: rows of one source
  // usually have their keys in one order.
  std::vector<uint64_t> seen_in_;
  std::vector<int> next_key_;
  uint64_t object_ = 0;

  ChunkBuilder* out_ = nullptr;
  JsonReader* reader_ = nullptr;
  uint64_t row_ = 0;
  const EventRule* event_ = nullptr;
  std::string project_;  // that owns the row, if learned fields depend on it; empty: none
  int project_number_;
  JsonScalar time_json_;              // of the row's time, if it was read from one
  const char* message_at_ = nullptr;  // for an event: the value that may be its message
  const char* project_at_ = nullptr;  // for an event: the top-level value that may be its project
  std::string reason_;
  std::string kind_;
  std::vector<Undeclared> undeclared_;
  std::vector<uint64_t> element_;  // by the slot of a list: the current element
  base::StringSet undeclared_fields_;
  RowSurveys survey_;
  Misfits misfits_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_ROW_PARSER_H_
