#include "lib/rewrite/functions/functions.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "lib/functions/function_lists.h"
#include "lib/rewrite/functions/function_signature.h"
#include "lib/sql/foreign_functions.h"

namespace logquery::rewrite {
namespace {

TEST_CASE("a function is found in any case, with its overloads in the table's order") {
  const Function* substr = FindFunction("substr");
  REQUIRE(substr != nullptr);
  CHECK(substr == FindFunction("SUBSTR"));
  CHECK(substr->name == "SUBSTR");
  CHECK(substr->kind == FunctionKind::kScalar);
  REQUIRE(substr->overloads.size() == 2);
  CHECK(SignatureText(substr->overloads[0]) == "SUBSTR(STRING, INT64, [INT64]) -> STRING");
  CHECK(SignatureText(substr->overloads[1]) == "SUBSTR(BYTES, INT64, [INT64]) -> BYTES");
  // An argument that a call gives by name stands first in a row, and last for people.
  const Function* keys = FindFunction("json_keys");
  REQUIRE(keys != nullptr);
  CHECK(SignatureText(keys->overloads[0]) == "JSON_KEYS(JSON, [INT64], [mode => STRING]) -> ARRAY<STRING>");
  CHECK(keys->overloads[0].parameters[0].name == "mode");
  CHECK(keys->overloads[0].parameters[0].default_text == "strict");
  CHECK(FindFunction("no_such_function") == nullptr);
}

TEST_CASE("names for queries are sorted and hold no operators") {
  const std::vector<std::string>& names = FunctionNames();
  CHECK(std::is_sorted(names.begin(), names.end()));
  CHECK(std::none_of(names.begin(), names.end(), [](const std::string& name) { return name[0] == '$'; }));
  CHECK(std::count(names.begin(), names.end(), "COUNTIF") == 1);
}

TEST_CASE("function names of other databases lead to the equivalent GoogleSQL functions") {
  CHECK(sql::FunctionsLike("Now") == std::vector<std::string>{"CURRENT_TIMESTAMP"});
  CHECK(sql::FunctionsLike("no_such_function").empty());
  CHECK(sql::FormLike("arrayContains") == "value IN UNNEST(array)");
  CHECK(sql::FormLike("now").empty());
  std::set<std::string_view> seen;
  for (const sql::ForeignFunction& foreign : sql::ForeignFunctions()) {
    INFO(foreign.name);
    CHECK(seen.insert(foreign.name).second);
    CHECK(FindFunction(foreign.name) == nullptr);
    CHECK(foreign.ours.empty() != foreign.form.empty());
    // EXTRACT has a syntax of its own.
    for (const std::string& name : foreign.ours) CHECK((FindFunction(name) != nullptr || name == "EXTRACT"));
  }
}

TEST_CASE("our own functions evaluate rows of the table: each says one that is there, with the same signature") {
  const Function* reverse = FindFunction("REVERSE");
  REQUIRE(reverse->overloads.size() == 2);
  REQUIRE(reverse->overloads[0].own != nullptr);
  CHECK(reverse->overloads[0].own->name == std::string_view("lq_reverse"));
  CHECK(reverse->overloads[1].own->name == std::string_view("lq_bytes_reverse"));
  CHECK(FindFunction("UPPER")->overloads[0].own == nullptr);

  std::map<std::string, std::string_view> rows;
  for (const FunctionRow* row : AllFunctionRows()) rows[NameWithParameters(*row)] = row->signature;
  for (const functions::FunctionEntries& entries : functions::AllFunctions()) {
    for (const functions::FunctionEntry& entry : entries) {
      const std::vector<std::string> names = absl::StrSplit(entry.evaluates, ' ', absl::SkipEmpty());
      for (const std::string& name : names) {
        INFO(entry.name << " evaluates " << name << entry.signature);
        const FunctionRow row{name, FunctionKind::kScalar, entry.signature};
        REQUIRE(rows.contains(NameWithParameters(row)));
        CHECK(rows[NameWithParameters(row)] == entry.signature);
        CHECK(OwnFunction(row) == &entry);  // no other function says that it evaluates this row
      }
    }
  }
}

TEST_CASE("every row's signature parses and prints as it is written") {
  for (const FunctionRow* row : AllFunctionRows()) {
    INFO(row->name << row->signature);
    const absl::StatusOr<Signature> signature = ParseSignature(row->signature);
    REQUIRE(signature.ok());
    const Overload overload{row, nullptr, 0, signature->parameters, signature->result};
    const bool named = std::string_view(row->signature).find(':') != std::string_view::npos;
    if (!named) CHECK(SignatureText(overload) == base::StrCat(row->name, row->signature));
  }
}

TEST_CASE("names are upper case, of one kind each, and no signature comes twice") {
  std::map<std::string, FunctionKind> kinds;
  std::set<std::string> signatures;
  for (const FunctionRow* row : AllFunctionRows()) {
    INFO(row->name << row->signature);
    const std::string name(row->name);
    if (name[0] != '$') CHECK(name == base::ToUpper(name));
    CHECK(kinds.emplace(name, row->kind).first->second == row->kind);
    CHECK(signatures.insert(name + row->signature).second);
  }
}

TEST_CASE("optional parameters come last, and only the last one repeats") {
  for (const FunctionRow* row : AllFunctionRows()) {
    INFO(row->name << row->signature);
    const Signature signature = *ParseSignature(row->signature);
    bool optional = false;
    for (const ParameterPattern& parameter : signature.parameters) {
      CHECK((parameter.optional || !optional));
      optional = optional || parameter.optional;
      if (parameter.repeated) CHECK(&parameter == &signature.parameters.back());
    }
  }
}

TEST_CASE("functions that the sandbox forbids or limits are marked") {
  for (const char* name : {"RAND", "GENERATE_UUID", "SESSION_USER"}) {
    INFO(name);
    CHECK(FindFunction(name)->Has(kNotInSandbox));
  }
  for (const char* name : {"RAND", "GENERATE_UUID"}) CHECK(FindFunction(name)->Has(kVolatile));
  for (const char* name : {"CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_DATETIME", "CURRENT_TIME"}) {
    CHECK(FindFunction(name)->Has(kReadsClock));
  }
  for (const char* name :
       {"REPEAT", "LPAD", "RPAD", "FORMAT", "REPLACE", "REGEXP_REPLACE", "CONCAT", "$concat", "ARRAY_CONCAT",
        "STRING_AGG", "ARRAY_AGG", "GENERATE_ARRAY", "GENERATE_DATE_ARRAY", "GENERATE_TIMESTAMP_ARRAY"}) {
    INFO(name);
    CHECK(FindFunction(name)->Has(kGrows));
  }
}

TEST_CASE("the operators and forms that the resolver writes are there") {
  for (const char* name : {"$add",
                           "$subtract",
                           "$multiply",
                           "$divide",
                           "$negate",
                           "$bit_not",
                           "$bit_and",
                           "$bit_or",
                           "$bit_xor",
                           "$shift_left",
                           "$shift_right",
                           "$equal",
                           "$not_equal",
                           "$less",
                           "$less_or_equal",
                           "$greater",
                           "$greater_or_equal",
                           "$is_distinct",
                           "$is_not_distinct",
                           "$and",
                           "$or",
                           "$not",
                           "$concat",
                           "$is_null",
                           "$is_true",
                           "$is_false",
                           "$between",
                           "$in",
                           "$in_array",
                           "$like",
                           "$ilike",
                           "$like_any",
                           "$like_all",
                           "$at_offset",
                           "$at_ordinal",
                           "$safe_at_offset",
                           "$safe_at_ordinal",
                           "$json_field",
                           "$json_index",
                           "$element",
                           "$present",
                           "$extract",
                           "$extract_date",
                           "$extract_time",
                           "$extract_datetime",
                           "$interval"}) {
    INFO(name);
    CHECK(FindFunction(name) != nullptr);
  }
}

TEST_CASE("signatures: variables, arrays and STRUCTs") {
  const Signature signature =
      *ParseSignature("(ARRAY<T1>, LAMBDA, [NUM12...]) -> ARRAY<STRUCT<value STRING, count INT64>>");
  REQUIRE(signature.parameters.size() == 3);
  CHECK(signature.parameters[0].type.kind == TypePattern::Kind::kArray);
  CHECK(signature.parameters[0].type.element[0].kind == TypePattern::Kind::kAny);
  CHECK(signature.parameters[1].type.kind == TypePattern::Kind::kLambda);
  CHECK(signature.parameters[2].type.kind == TypePattern::Kind::kNumber);
  CHECK(signature.parameters[2].type.index == 12);
  CHECK(signature.parameters[2].optional);
  CHECK(signature.parameters[2].repeated);
  CHECK(signature.result.exact == Type::Array(Type::Struct({{"value", Type::String()}, {"count", Type::Int64()}})));
}

TEST_CASE("signatures: a STRUCT in a result may have variables") {
  const Signature signature = *ParseSignature("(GRP1, INT64) -> ARRAY<STRUCT<value GRP1, count INT64>>");
  REQUIRE(signature.result.kind == TypePattern::Kind::kArray);
  const TypePattern& entry = signature.result.element[0];
  REQUIRE(entry.kind == TypePattern::Kind::kStruct);
  REQUIRE(entry.element.size() == 2);
  CHECK(entry.exact.fields()[0].name == "value");
  CHECK(entry.element[0].kind == TypePattern::Kind::kGroupable);
  CHECK(entry.element[1].exact == Type::Int64());
  CHECK(TypePatternText(signature.result) == "ARRAY<STRUCT<value GRP1, count INT64>>");
}

TEST_CASE("an invalid signature is rejected with its offset") {
  for (const char* text : {"", "(", "(STRING", "(STRING) ->", "(STRING) -> STRING x", "(TEXT) -> STRING",
                           "([STRING) -> STRING", "(STRUCT<a T1>) -> STRING", "STRING -> STRING"}) {
    INFO(text);
    const absl::Status status = ParseSignature(text).status();
    CHECK(absl::IsInvalidArgument(status));
    CHECK(base::Message(status).find("offset") != std::string_view::npos);
  }
}

}  // namespace
}  // namespace logquery::rewrite
