// Fields of rows that become columns, and the columns' types.
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

TableLayout TestLayout() {
  const auto schema = model::ParseSchemaFile("test", kTestSchema);
  REQUIRE(schema.ok());
  return MakeLayouts(*schema)[0];
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
    for (int i = 0; i < had.rows; ++i) survey.Add(had.path, had.name, had.value);
  }
  return survey;
}

std::vector<std::string> Texts(const std::vector<LearnedColumn>& columns) {
  std::vector<std::string> texts;
  for (const LearnedColumn& column : columns) texts.push_back(column.column + " " + column.type.ToString());
  return texts;
}

LearnedChange Decide(const FieldSurvey& survey, const LearnedTable& learned = {}, const std::string& project = "",
                     const std::string& token = "") {
  RowSurveys surveys;
  surveys.Of(token, project).Merge(survey);
  RowOwners full;
  return DecideLearned(surveys, TestLayout(), learned, &full);
}

std::vector<std::string> Learned(const std::vector<Had>& all) { return Texts(Decide(SurveyOf(all)).added); }

TEST_CASE("a field becomes a column named by its path, with the narrowest type that holds its values") {
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
    for (const char* value : c.values) survey.Add({}, "x", value);
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
  // The fields of a record may come row by row.
  const LearnedChange first = Decide(SurveyOf({{{"metadata"}, "extra", R"({"a":1})"}}));
  CHECK(Texts(Decide(SurveyOf({{{"metadata", "extra"}, "more", "true"}}), AfterChange({}, first)).added) ==
        std::vector<std::string>{"metadata.extra.more BOOL"});
}

TEST_CASE("when rows disagree on a field's type, the most frequent type becomes the column") {
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

TEST_CASE("fields with names that no column can have stay undeclared") {
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

TEST_CASE("dots, colons and backslashes in a field's name are escaped in the column's name") {
  CHECK(LearnedColumnName({"metadata", "a.b"}, false) == "metadata.a\\.b");
  CHECK(LearnedColumnName({"metadata", "a", "b"}, false) == "metadata.a.b");
  CHECK(LearnedColumnName({"metadata", "a:STRING"}, false) == "metadata.a\\:STRING");
  CHECK(LearnedColumnName({"metadata", "a\\"}, true) == "?metadata.a\\\\");
}

TEST_CASE("the depth, number and size of columns are limited, and so is the survey's memory") {
  std::string deep = "1";
  for (int i = 0; i < 100; ++i) deep = "{\"d\":" + deep + "}";
  CHECK(Learned({{{"metadata"}, "d", deep}}).empty());

  FieldSurvey survey;
  for (int i = 0; i < 20'000; ++i) survey.Add({"metadata"}, "f" + std::to_string(i), "1");
  for (int i = 0; i < 2; ++i) survey.Add({"metadata"}, "f7777", "1");
  const LearnedChange change = Decide(survey);
  CHECK(change.added.size() == kMaxLearnedOfNoProject);
  // Fields that more rows have come first.
  const std::vector<std::string> texts = Texts(change.added);
  CHECK(std::count(texts.begin(), texts.end(), "metadata.f7777 INT64") == 1);
  CHECK(survey.root().fields.begin()->second->fields.size() < 10'001);
  // A table that has so many gets no more.
  CHECK(Decide(SurveyOf({{{"metadata"}, "more", "1"}}), AfterChange({}, change)).empty());
}

std::vector<std::string> NamesOf(const LearnedTable& learned, const std::string& project) {
  std::vector<std::string> names;
  for (const LearnedColumn& column : VisibleTo(learned, project)) {
    names.push_back(base::Join(column.path, ".") + " " + column.type.ToString());
  }
  return names;
}

TEST_CASE("a field keeps its type, whatever comes later") {
  for (const char* value : {"1.5", "\"x\"", "true", "[1]", "{\"a\":1}", "9223372036854775809"}) {
    CAPTURE(value);
    const LearnedTable learned = AfterChange({}, Decide(SurveyOf({{{"metadata"}, "x", "1"}}), {}, "p"));
    const LearnedChange change = Decide(SurveyOf({{{"metadata"}, "X", value}}), learned, "p");
    CHECK(change.empty());
  }
}

TEST_CASE("each project has the fields of its own rows, in its own order, types and spelling") {
  LearnedTable learned = AfterChange({}, Decide(SurveyOf({{{"metadata"}, "n", "\"x\""}, {{}, "tier", "1"}}), {}, "a"));
  const LearnedChange of_b = Decide(SurveyOf({{{"metadata"}, "N", "1"}, {{}, "tier", "2"}}), learned, "b");
  // The same path and type is one column, another type or spelling has its own.
  CHECK(Texts(of_b.added) == std::vector<std::string>{"metadata.N:INT64 INT64"});
  learned = AfterChange(learned, of_b);
  learned = AfterChange(learned, Decide(SurveyOf({{{"metadata"}, "n", R"({"deep":true})"}}), learned, "c"));
  CHECK(NamesOf(learned, "a") == std::vector<std::string>{"metadata.n STRING", "tier INT64"});
  CHECK(NamesOf(learned, "b") == std::vector<std::string>{"metadata.N INT64", "tier INT64"});
  CHECK(NamesOf(learned, "c") == std::vector<std::string>{"metadata.n BOOL", "metadata.n.deep BOOL"});
  CHECK(NamesOf(learned, "d").empty());
  // For rows of all projects the first one stands.
  CHECK(VisibleTo(learned, std::nullopt).size() == 2);
}

TEST_CASE("no project takes more than its share of columns, and unused shares are available to others") {
  std::vector<Had> many;
  for (int i = 0; i < 400; ++i) many.push_back({{"metadata"}, "f" + std::to_string(i), "1"});
  LearnedTable learned;
  for (const char* project : {"a", "b"}) {
    const LearnedChange change = Decide(SurveyOf(many), learned, project);
    CHECK(change.taught.size() == kMaxLearnedOfProject);
    learned = AfterChange(learned, change);
  }
  CHECK(learned.columns.size() == kMaxLearnedOfProject);  // they share them
  CHECK(Decide(SurveyOf(many), learned, "a").empty());
  CHECK(Texts(Decide(SurveyOf({{{"metadata"}, "honest", "1"}}), learned, "c").added) ==
        std::vector<std::string>{"metadata.honest INT64"});
  // Two projects whose fields come in one batch.
  RowSurveys both;
  both.Of("", "d").Merge(SurveyOf(many));
  both.Of("", "e").Merge(SurveyOf({{{"metadata"}, "late", "true"}}));
  RowOwners full;
  const LearnedChange change = DecideLearned(both, TestLayout(), learned, &full);
  CHECK(full.Has("", "d"));
  CHECK_FALSE(full.Has("", "e"));
  CHECK_FALSE(full.Has("d", "d"));
  CHECK(NamesOf(AfterChange(learned, change), "e") == std::vector<std::string>{"metadata.late BOOL"});
}

FieldSurvey ManyFields(const std::string& prefix) {
  std::vector<Had> many;
  for (int i = 0; i < 400; ++i) many.push_back({{"metadata"}, prefix + std::to_string(i), "1"});
  return SurveyOf(many);
}

TEST_CASE("a token leaves a project's other tokens some of its columns, and uses columns that these have taught") {
  RowSurveys surveys;
  surveys.Of("greedy", "a").Merge(ManyFields("g"));
  surveys.Of("honest", "a").Merge(SurveyOf({{{"metadata"}, "g0", "true"}, {{"metadata"}, "h", R"({"x":1})"}}));
  RowOwners full;
  const LearnedChange change = DecideLearned(surveys, TestLayout(), {}, &full);
  CHECK(full.Has("greedy", "a"));
  CHECK_FALSE(full.Has("honest", "a"));
  LearnedTable learned = AfterChange({}, change);
  CHECK(learned.lessons["greedy"].size() == kMaxLearnedOfTokenInProject);
  // The project has one type of g0, that of the first token, so the honest one teaches the record and its field.
  CHECK(learned.lessons["honest"].size() == 2);
  CHECK(learned.taught["a"].size() == kMaxLearnedOfTokenInProject + 2);

  // The project's own share still holds, and rows of files have no token's.
  learned = AfterChange(learned, Decide(ManyFields("h"), learned, "a", "third"));
  CHECK(learned.taught["a"].size() == kMaxLearnedOfProject);
  CHECK(learned.lessons["third"].size() == kMaxLearnedOfProject - kMaxLearnedOfTokenInProject - 2);
  CHECK(Decide(ManyFields("i"), learned, "b").taught.size() == kMaxLearnedOfProject);
}

TEST_CASE("a token of all projects teaches a log at most eighty columns; projects that share a column count once") {
  LearnedTable learned;
  for (const char* project : {"a", "b", "c", "d"}) {
    learned = AfterChange(learned, Decide(ManyFields("same"), learned, project, "t"));
    CHECK(learned.taught[project].size() == kMaxLearnedOfTokenInProject);
  }
  CHECK(learned.columns.size() == kMaxLearnedOfTokenInProject);
  for (const char* project : {"e", "f"}) {
    learned = AfterChange(learned, Decide(ManyFields(project), learned, project, "t"));
  }
  CHECK(learned.columns.size() == kMaxLearnedOfToken);
  CHECK(learned.taught["e"].size() == kMaxLearnedOfToken - kMaxLearnedOfTokenInProject);
  CHECK(learned.taught["f"].empty());
  // A field that the token has taught already costs it nothing for a further project.
  learned = AfterChange(learned, Decide(SurveyOf({{{"metadata"}, "same0", "1"}}), learned, "f", "t"));
  CHECK(NamesOf(learned, "f") == std::vector<std::string>{"metadata.same0 INT64"});
  // Rows that name no project have no share of their own for a token.
  CHECK(Decide(ManyFields("n"), {}, "", "t").taught.size() == kMaxLearnedOfToken);
  CHECK(Decide(ManyFields("n"), learned, "", "t").empty());
  // Another token is not concerned.
  CHECK(Decide(SurveyOf({{{"metadata"}, "new", "1"}}), learned, "f", "u").added.size() == 1);
}

TEST_CASE("a declared field takes precedence over learned ones, and belongs to every project") {
  LearnedTable learned =
      AfterChange({}, Decide(SurveyOf({{{"metadata"}, "x", "\"5\""}, {{"metadata"}, "y", "1"}}), {}, "a"));
  learned = AfterChange(learned, Decide(SurveyOf({{{"metadata"}, "x", R"({"deep":1})"}}), learned, "b"));
  const Schema fields = {{"metadata", Type::Record({{"x", Type::Int64()}, {"y", Type::Int64()}})}};
  const auto change = DecideDeclared(fields, TestLayout(), learned);
  REQUIRE(change.ok());
  CHECK(Texts(change->added) == std::vector<std::string>{"metadata.x:INT64 INT64"});
  CHECK(change->moved.size() == 1);  // the texts of "a", as far as they are numbers
  learned = AfterChange(learned, *change);
  for (const char* project : {"a", "b", "c"}) {
    CHECK(NamesOf(learned, project) == std::vector<std::string>{"metadata.x INT64", "metadata.y INT64"});
  }
  // The same again changes nothing.
  CHECK(DecideDeclared(fields, TestLayout(), learned)->empty());
}

}  // namespace
}  // namespace logquery::store
