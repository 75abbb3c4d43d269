// One line of NDJSON to one row of a chunk, in one pass, against the declared and the learned fields.
//
// What is settled in semantics ("Loading") for a row is settled here: what a record may come as, which values cast, which
// keys collide, what a row must have. Each thread that parses has a parser of its own.
#ifndef LOGQUERY_LIB_STORE_ROWS_ROW_PARSER_H_
#define LOGQUERY_LIB_STORE_ROWS_ROW_PARSER_H_

#include <cstdint>
#include <string>
#include <string_view>
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
    std::string id_prefix;  // of the ids of rows that have none; the line's number follows
    // Whether what no column takes is surveyed, and fields that have no column at all with it.
    bool survey = false;
    bool survey_unknown = false;
    bool ends_at_news = false;  // what is read ends after the rows that have the first of them
  };

  // `plan` is borrowed.
  RowParser(const RowPlan* plan, Options options);

  // Puts the line's fields into `row`, which is empty. False: the line is no row, reason() says why, and the row is
  // empty again. The builder borrows text from `line`. `event`, which is borrowed for the call, is what else holds for the
  // row; nullptr: it is a file's.
  bool Parse(std::string_view line, int64_t line_number, ChunkBuilder* out, uint64_t row,
             const EventRule* event = nullptr);

  const std::string& reason() const { return reason_; }

  // Paths of fields that rows had and no column holds, "metadata.request.new"; at most 1,000.
  const base::StringSet& undeclared_fields() const { return undeclared_fields_; }
  const FieldSurvey& survey() const { return survey_; }

 private:
  // A field that no column holds.
  struct Undeclared {
    uint64_t object = 0;                // the one that it is in
    const FieldNode* column = nullptr;  // that has another kind of value; nullptr: there is none
    bool in_list = false;
    std::vector<std::string> path;  // the names down to it; of a list's element its number
    std::string_view key;           // as it is written, without the quotes
    std::string_view text;          // what the key stands for
    std::string_view value;         // JSON
  };

  bool ParseRow(int64_t line_number);
  bool Object(const FieldNode& node, uint64_t row);
  bool Member(const FieldNode& node, uint64_t object, int* previous, uint64_t row);
  int FindField(const FieldNode& node, std::string_view key, int previous);
  bool FieldValue(const FieldNode& node, uint64_t row);
  bool Record(const FieldNode& node, uint64_t row);
  bool StructElement(const FieldNode& node, uint64_t row);
  bool List(const FieldNode& node, uint64_t row);
  bool Scalar(const FieldNode& node, uint64_t row);
  bool LearnedFits(const FieldNode& field);
  bool ScalarFits(TypeKind type);
  bool ElementsFit(const FieldNode& field);
  void Store(const FieldNode& node, int slot, const ScalarValue& value, uint64_t row);
  bool AddUndeclared(const FieldNode& node, uint64_t object, const JsonReader::String& key, const FieldNode* column);
  bool CheckUndeclaredKeys(uint64_t object);
  void StoreUndeclared();
  bool SetDefaults(int64_t line_number);
  bool SetTime();
  void NoteMessage(std::string_view key);
  void SetMessage(const FieldNode& message);
  bool SetProject(const FieldNode& project);
  // So much of a value as a reason shows.
  static std::string Excerpt(std::string_view value);
  // Fails with the field's path, and its value, which is next, where it is wanted.
  bool FailField(const FieldNode& node, std::string_view problem);
  bool FailValue(const FieldNode& node, std::string_view wanted);
  std::string_view Text(const JsonReader::String& string);

  const RowPlan* const plan_;
  const Options options_;
  // For each key of the plan the object that it was seen in last, and the key that came after it then: rows of one
  // source have their keys in one order.
  std::vector<uint64_t> seen_in_;
  std::vector<int> next_key_;
  uint64_t object_ = 0;

  ChunkBuilder* out_ = nullptr;
  JsonReader* reader_ = nullptr;
  uint64_t row_ = 0;
  const EventRule* event_ = nullptr;
  const char* message_at_ = nullptr;  // of an event: the string that may be its message
  std::string reason_;
  std::vector<Undeclared> undeclared_;
  std::vector<uint64_t> element_;  // by the slot of a list: which of its elements is read
  base::StringSet undeclared_fields_;
  FieldSurvey survey_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_ROW_PARSER_H_
