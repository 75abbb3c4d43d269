// Surveys what rows contain beyond their table's columns: paths, kinds of values, and numbers of rows.
//
//     FieldSurvey survey;
//     survey.Add({"metadata", "request"}, "colo", "\"FRA\"");
//     survey.has_news();  // a new column could be created
//
// Its memory is bounded for any input. Not thread-safe; each thread has its own survey, and the surveys are merged.
#ifndef LOGQUERY_LIB_STORE_LEARN_FIELD_SURVEY_H_
#define LOGQUERY_LIB_STORE_LEARN_FIELD_SURVEY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "lib/store/rows/arena.h"
#include "lib/store/rows/json_reader.h"
#include "lib/store/rows/scalar_cast.h"
#include "logquery/type.h"

namespace logquery::store {

// Kinds of scalars, as bits of a set.
enum ValueKind : uint8_t {
  kBoolKind = 1,
  kIntKind = 2,      // that a FLOAT64 represents exactly
  kWideIntKind = 4,  // other INT64
  kFloatKind = 8,
  kTextKind = 16,  // strings, and numbers that neither INT64 nor FLOAT64 can represent
};

ValueKind KindOf(const JsonScalar& json, Arena& arena);
// Returns the narrowest type for a non-empty set of kinds: BOOL, INT64, FLOAT64 or STRING.
Type TypeOfKinds(uint8_t kinds);
// Returns whether a learned column of this type accepts the value as written: a string is not a number, 1.5 not an
// INT64.
bool FitsLearned(const JsonScalar& json, TypeKind type, Arena& arena);

// Reads a scalar other than null. Returns false if the next value is something else.
bool ReadScalar(JsonReader& reader, Arena& arena, JsonScalar* json);

class FieldSurvey {
 public:
  struct Node {
    std::string name;  // if several differ only in case, the first in sort order
    int64_t records = 0;
    int64_t scalars = 0;
    int64_t arrays = 0;  // of scalars
    uint8_t scalar_kinds = 0;
    uint8_t element_kinds = 0;
    base::NameMap<std::unique_ptr<Node>> fields;
  };

  // Adds that a row has `value`, which is valid JSON, in the field `name` of the record at `path`. There must be no column
  // for the field yet: a column never changes its type.
  void Add(const std::vector<std::string>& path, std::string_view name, std::string_view value);
  void Merge(const FieldSurvey& other);

  // Returns whether anything was found that could become a column.
  bool has_news() const { return has_news_; }
  // The row itself.
  const Node& root() const { return root_; }

 private:
  Node* Child(Node& node, std::string_view name, size_t depth);
  void AddValue(Node& node, JsonReader& reader, size_t depth);
  void AddObject(Node& node, JsonReader& reader, size_t depth);
  void AddArray(Node& node, JsonReader& reader, size_t depth);
  void MergeNode(const Node& from, Node& to, size_t depth);

  Node root_;
  size_t nodes_ = 0;
  bool has_news_ = false;
  Arena arena_;
};

// Tokens and projects whose rows have something in common. An empty token stands for rows of files, an empty project for
// rows that name none.
class RowOwners {
 public:
  void Add(std::string_view token, std::string_view project);
  bool Has(std::string_view token, std::string_view project) const;

 private:
  base::StringMap<base::StringSet> by_token_;
  size_t size_ = 0;
};

// The surveys of the rows of each token and project, named as in RowOwners. Not thread-safe.
class RowSurveys {
 public:
  using ByProject = std::map<std::string, FieldSurvey, std::less<>>;
  using ByToken = std::map<std::string, ByProject, std::less<>>;

  FieldSurvey& Of(std::string_view token, std::string_view project);
  void Merge(const RowSurveys& other);
  bool has_news() const;
  const ByToken& by_token() const { return by_token_; }

 private:
  ByToken by_token_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_FIELD_SURVEY_H_
