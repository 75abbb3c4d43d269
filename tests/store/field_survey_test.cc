// What becomes a column of what rows have, and of which type.
#include "lib/store/learn/field_survey.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lib/store/learn/learned_change.h"
#include "lib/store/learn/learned_fields.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

TableLayout TestLayout(const std::vector<LearnedColumn>& learned = {}) {
  const auto schema = model::ParseSchemaFile("test", kTestSchema);
  REQUIRE(schema.ok());
  return WithLearned(MakeLayouts(*schema)[0], learned);
}

struct Had {
  std::vector<std::string> path;
  std::string name;
  std::string value;
  int rows = 1;
};

FieldSurvey SurveyOf(const std::vector<Had>& all) {
  FieldSurvey survey;
  for (const Had& had : all) {
    for (int i = 0; i < had.rows; ++i) survey.Add(had.path, had.name, had.value, nullptr);
  }
  return survey;
}

std::vector<std::string> Texts(const std::vector<LearnedColumn>& columns) {
  std::vector<std::string> texts;
  for (const LearnedColumn& column : columns) texts.push_back(column.column + " " + column.type.ToString());
  return texts;
}

LearnedChange Decide(const FieldSurvey& survey, const std::vector<LearnedColumn>& learned = {},
                     bool wide_ints = false) {
  const auto change = DecideLearned(survey, TestLayout(learned), learned,
                                    [&](const LearnedColumn&) -> absl::StatusOr<bool> { return wide_ints; });
  REQUIRE(change.ok());
  return *change;
}

std::vector<std::string> Learned(const std::vector<Had>& all) { return Texts(Decide(SurveyOf(all)).added); }

TEST_CASE("a field becomes a column under its path, of the narrowest type that holds what rows had") {
  CHECK(Learned({{{"metadata", "request"}, "colo", "\"FRA\""}, {{}, "num", "1"}}) ==
        std::vector<std::string>{"metadata.request.colo STRING", "num INT64"});
  struct Case {
    std::vector<const char*> values;
    const char* type;  // nullptr: it stays beside the columns
  };
  const Case cases[] = {
      {{"1", "-2"}, "INT64"},
      {{"9223372036854775807"}, "INT64"},
      {{"1", "1.5"}, "FLOAT64"},
      {{"1.0"}, "FLOAT64"},
      {{"1e3"}, "FLOAT64"},
      {{"9007199254740992", "0.5"}, "FLOAT64"},
      {{"9007199254740993", "0.5"}, "STRING"},  // no FLOAT64 has these digits
      {{"9223372036854775808"}, "FLOAT64"},
      {{"9223372036854775809"}, "STRING"},
      {{"1e999"}, "STRING"},
      {{"true", "false"}, "BOOL"},
      {{"true", "1"}, "STRING"},
      {{"\"1\""}, "STRING"},
      {{"1", "\"x\""}, "STRING"},
      {{"null", "1"}, "INT64"},
      {{"null"}, nullptr},
      {{"[1, null, 2]"}, "ARRAY<INT64>"},
      {{"[1]", "[2.5]"}, "ARRAY<FLOAT64>"},
      {{"[true, \"x\"]"}, "ARRAY<STRING>"},
      {{"[]", "[null]"}, nullptr},
      {{"[[1]]"}, nullptr},
      {{"[{\"a\":1},{\"a\":2}]"}, nullptr},
      {{"[1, {\"a\":2}]"}, nullptr},
      {{"{}"}, nullptr},
  };
  for (const Case& c : cases) {
    CAPTURE(c.values[0]);
    FieldSurvey survey;
    for (const char* value : c.values) survey.Add({}, "x", value, nullptr);
    const std::vector<std::string> wanted =
        c.type == nullptr ? std::vector<std::string>{} : std::vector<std::string>{std::string("x ") + c.type};
    CHECK(Texts(Decide(survey).added) == wanted);
    CHECK(survey.has_news() == (c.type != nullptr));
  }
}

TEST_CASE("a record that is not declared has a column for its being there, and its fields have theirs") {
  const std::vector<std::string> wanted = {"?metadata.extra BOOL", "metadata.extra.a INT64",
                                           "?metadata.extra.deep BOOL", "metadata.extra.deep.b STRING"};
  CHECK(Learned({{{"metadata"}, "extra", R"({"a":1,"deep":[{"b":"x"}]})"}}) == wanted);
  CHECK(Learned({{{"metadata"}, "extra", R"([{"a":1,"deep":{"b":"x"}}])"}}) == wanted);
  // As it is told row by row.
  const LearnedChange first = Decide(SurveyOf({{{"metadata"}, "extra", R"({"a":1})"}}));
  CHECK(Texts(Decide(SurveyOf({{{"metadata", "extra"}, "more", "true"}}), first.added).added) ==
        std::vector<std::string>{"metadata.extra.more BOOL"});
}

TEST_CASE("of several kinds of one field that becomes the column which most rows have") {
  CHECK(Learned({{{}, "x", "1", 3}, {{}, "x", R"({"a":1})", 2}}) == std::vector<std::string>{"x INT64"});
  CHECK(Learned({{{}, "x", "1", 2}, {{}, "x", R"({"a":1})", 3}}) == std::vector<std::string>{"?x BOOL", "x.a INT64"});
  CHECK(Learned({{{}, "x", "1", 2}, {{}, "x", R"(["a"])", 3}}) == std::vector<std::string>{"x ARRAY<STRING>"});
}

TEST_CASE("names that differ in letter case are one field, whatever threads saw first") {
  for (const bool turned : {false, true}) {
    FieldSurvey one = SurveyOf({{{"metadata"}, "Colo", "1"}});
    FieldSurvey other = SurveyOf({{{"metadata"}, "colo", "\"x\""}, {{"metadata"}, "COLO", "2"}});
    if (turned) std::swap(one, other);
    one.Merge(other);
    CHECK(Texts(Decide(one).added) == std::vector<std::string>{"metadata.COLO STRING"});
  }
}

TEST_CASE("names that no column can have stay beside the columns") {
  const std::string longest(kMaxLearnedName, 'n');
  for (const std::string& name : {std::string("a b"), std::string("a\"b"), std::string("é"), longest}) {
    CAPTURE(name);
    CHECK(IsLearnableName(name, true));
  }
  for (const std::string& name :
       {std::string(), std::string("a\nb"), std::string("a\0b", 3), std::string("\x7f"), longest + "n",
        std::string("10.20.30.40"), std::string("from 2001:db8::42"), std::string("ann@example.com")}) {
    CAPTURE(name);
    CHECK_FALSE(IsLearnableName(name, false));
  }
  for (const char* name : {"a.b", "a:b", "a\\b", "?a", "rowid", "ROWID", "loaded_key", "found"}) {
    CAPTURE(name);
    CHECK(IsLearnableName(name, false));
    CHECK_FALSE(IsLearnableName(name, true));
  }
  CHECK(Learned({{{}, "_undeclared", "1"}}).empty());  // there is a column of that name
}

TEST_CASE("what stands in a name is not taken for the path, nor for a type") {
  CHECK(LearnedColumnName({"metadata", "a.b"}, false) == "metadata.a\\.b");
  CHECK(LearnedColumnName({"metadata", "a", "b"}, false) == "metadata.a.b");
  CHECK(LearnedColumnName({"metadata", "a:STRING"}, false) == "metadata.a\\:STRING");
  CHECK(LearnedColumnName({"metadata", "a\\"}, true) == "?metadata.a\\\\");
}

TEST_CASE("there is an end to how deep, how many and how large columns are, and to what is remembered") {
  std::string deep = "1";
  for (int i = 0; i < 100; ++i) deep = "{\"d\":" + deep + "}";
  CHECK(Learned({{{"metadata"}, "d", deep}}).empty());

  FieldSurvey survey;
  for (int i = 0; i < 20'000; ++i) survey.Add({"metadata"}, "f" + std::to_string(i), "1", nullptr);
  for (int i = 0; i < 2; ++i) survey.Add({"metadata"}, "f7777", "1", nullptr);
  const LearnedChange change = Decide(survey);
  CHECK(change.added.size() == kMaxLearnedColumns);
  // Those that more rows have come first.
  const std::vector<std::string> texts = Texts(change.added);
  CHECK(std::count(texts.begin(), texts.end(), "metadata.f7777 INT64") == 1);
  CHECK(survey.root().fields.begin()->second->fields.size() < 10'001);
  // A table that has so many gets no more.
  CHECK(Decide(SurveyOf({{{"metadata"}, "more", "1"}}), change.added).empty());
}

TEST_CASE("a learned field widens, and never narrows") {
  struct Case {
    const char* before;
    const char* value;
    const char* after;  // nullptr: as before
    bool wide_ints = false;
  };
  const Case cases[] = {
      {"INT64", "1.5", "FLOAT64"},
      {"INT64", "1.5", "STRING", true},
      {"INT64", "\"x\"", "STRING"},
      {"INT64", "true", "STRING"},
      {"FLOAT64", "9223372036854775809", "STRING"},
      {"FLOAT64", "\"x\"", "STRING"},
      {"BOOL", "1", "STRING"},
      {"BOOL", "\"true\"", "STRING"},
      {"ARRAY<INT64>", "[1.5]", "ARRAY<FLOAT64>"},
      {"ARRAY<BOOL>", "[\"x\"]", "ARRAY<STRING>"},
      // Of another kind: it stays beside the column.
      {"INT64", "[1.5]", nullptr},
      {"INT64", "{\"a\":1}", nullptr},
      {"ARRAY<INT64>", "1.5", nullptr},
  };
  for (const Case& c : cases) {
    CAPTURE(c.before, c.value);
    const std::vector<LearnedColumn> learned = {{{"metadata", "x"}, "metadata.x", *LearnedType(c.before), false}};
    FieldSurvey survey;
    survey.Add({"metadata"}, "X", c.value, &learned[0].type);
    const LearnedChange change = Decide(survey, learned, c.wide_ints);
    CHECK(change.added.empty());
    REQUIRE(change.widened.size() == (c.after == nullptr ? 0 : 1));
    CHECK(survey.has_news() == (c.after != nullptr));
    if (c.after == nullptr) continue;
    CHECK(change.widened[0].now.column == std::string("metadata.x:") + c.after);
    CHECK(Texts(AfterChange(learned, change)) ==
          std::vector<std::string>{std::string("metadata.x:") + c.after + " " + c.after});
  }
}

}  // namespace
}  // namespace logquery::store
