// Finds the conditions on which a row's samples go to an engine: which types, and for each other trait which of its values, for
// which of these types. A sample that these conditions do not foretell is reported.
#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "tests/split/pushdown_page.h"

namespace logquery::testing {
namespace {

using base::StrCat;
using Names = std::vector<std::string>;

struct Outcome {
  const SampleCall* sample;
  std::string why_not;
  std::string why_not_itself;
};

bool Has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void AddOnce(Names& names, const std::string& name) {
  if (!Has(names, name)) names.push_back(name);
}

std::string List(const Names& names, std::string_view last) {
  if (names.size() < 2) return names.empty() ? "" : names[0];
  return StrCat(absl::StrJoin(names.begin(), names.end() - 1, ", "), " ", last, " ", names.back());
}

// The outcomes' values of the trait, in order; with `pushed` only of those that go.
Names ValuesOf(const std::vector<Outcome>& outcomes, Trait trait, bool pushed) {
  Names values;
  for (const Outcome& outcome : outcomes) {
    if (!pushed || outcome.why_not.empty()) AddOnce(values, outcome.sample->trait(trait));
  }
  return values;
}

std::vector<Outcome> With(const std::vector<Outcome>& outcomes, Trait trait, const std::string& value) {
  std::vector<Outcome> with;
  for (const Outcome& outcome : outcomes) {
    if (outcome.sample->trait(trait) == value) with.push_back(outcome);
  }
  return with;
}

// "of INT64 or STRING", or of all but a few.
std::string TypesText(const Names& all, const Names& pushed) {
  Names others;
  for (const std::string& type : all) {
    if (!Has(pushed, type)) others.push_back(type);
  }
  if (others.size() < 4 && pushed.size() > others.size()) return StrCat("not of ", List(others, "or"));
  return StrCat("of ", List(pushed, "or"));
}

std::string ValueText(Trait trait, const std::string& value) {
  switch (trait) {
    case Trait::kType:
      return StrCat("of ", value);
    case Trait::kPart:
      return StrCat("with ", value);
    case Trait::kArguments:
      return StrCat("of ", value);
    case Trait::kOptional:
      return value == "given" ? "with the optional arguments" : "without the optional arguments";
    case Trait::kModifier:
      return value.empty() ? "plain" : StrCat("with ", value);
  }
  return value;
}

std::string ArgumentsText(const Names& refused, const Names& pushed) {
  if (refused == Names{"columns", "calls"}) return "with constants after the first argument";
  if (refused == Names{"calls"}) return "of a call only with constants after it";
  if (refused == Names{"a call, then constants", "calls"} || refused == Names{"a call"}) return "not of calls";
  Names texts;
  for (const std::string& value : pushed) texts.push_back(StrCat("of ", value));
  return absl::StrJoin(texts, ", or ");
}

std::string ValuesText(Trait trait, const Names& all, const Names& pushed) {
  if (trait == Trait::kPart) return StrCat("with ", List(pushed, "or"));
  Names without;
  for (const std::string& value : all) {
    if (!Has(pushed, value)) without.push_back(value);
  }
  if (trait == Trait::kArguments) return ArgumentsText(without, pushed);
  if (trait == Trait::kModifier) return StrCat("without ", List(without, "and"));
  return ValueText(trait, pushed[0]);
}

// The types with which calls that have a value of a trait are known to go.
using Foretold = std::map<std::pair<Trait, std::string>, std::set<std::string>>;

// The outcomes of samples whose arguments are looked at: those with optional arguments and a part with which some calls go.
std::vector<Outcome> Possible(const std::vector<Outcome>& outcomes) {
  std::vector<Outcome> possible;
  for (const Outcome& outcome : outcomes) {
    bool is_possible = true;
    for (const Trait trait : {Trait::kPart, Trait::kOptional}) {
      is_possible = is_possible && Has(ValuesOf(outcomes, trait, true), outcome.sample->trait(trait));
    }
    if (is_possible) possible.push_back(outcome);
  }
  return possible;
}

std::string Note(const std::vector<Outcome>& all_outcomes, Foretold& foretold) {
  const std::vector<Outcome> possible = Possible(all_outcomes);
  const Names types = ValuesOf(all_outcomes, Trait::kType, true);
  Names notes;
  if (const Names all = ValuesOf(all_outcomes, Trait::kType, false); types.size() < all.size()) {
    notes.push_back(TypesText(all, types));
  }
  for (const Trait trait : {Trait::kArguments, Trait::kPart, Trait::kOptional, Trait::kModifier}) {
    const std::vector<Outcome>& outcomes = trait == Trait::kArguments ? possible : all_outcomes;
    const Names all = ValuesOf(outcomes, trait, false), pushed = ValuesOf(outcomes, trait, true);
    if (pushed.size() < all.size()) notes.push_back(ValuesText(trait, all, pushed));
    for (const std::string& value : all) {
      const Names of_value = ValuesOf(With(outcomes, trait, value), Trait::kType, true);
      foretold[{trait, value}] = {of_value.begin(), of_value.end()};
      const Names tried = ValuesOf(With(outcomes, trait, value), Trait::kType, false);
      const bool all_of_tried = std::all_of(types.begin(), types.end(), [&](const std::string& type) {
        return Has(of_value, type) || !Has(tried, type);
      });
      if (of_value.empty() || all_of_tried) continue;
      notes.push_back(StrCat(ValueText(trait, value), " only ", TypesText(types, of_value)));
    }
  }
  return absl::StrJoin(notes, "; ");
}

bool IsForetold(const SampleCall& sample, const Foretold& foretold) {
  for (const Trait trait : {Trait::kArguments, Trait::kPart, Trait::kOptional, Trait::kModifier}) {
    const auto found = foretold.find({trait, sample.trait(trait)});
    if (found == foretold.end() || !found->second.contains(sample.trait(Trait::kType))) return false;
  }
  return true;
}

// The reason that most samples have, without the function's name.
std::string Reason(const std::vector<Outcome>& outcomes) {
  std::map<std::string, int> counts;
  Names reasons;
  for (const Outcome& outcome : outcomes) {
    const bool is_ours = outcome.why_not.ends_with(" is worked out here");
    std::string reason = outcome.why_not_itself.empty() || is_ours ? outcome.why_not : outcome.why_not_itself;
    if (const size_t colon = reason.find(": "); colon != std::string::npos) reason.erase(0, colon + 2);
    if (is_ours) reason = "it is worked out here";
    ++counts[reason];
    AddOnce(reasons, reason);
  }
  return *std::max_element(reasons.begin(), reasons.end(), [&](const std::string& left, const std::string& right) {
    return counts[left] < counts[right];
  });
}

}  // namespace

Pushdown PushdownOf(const rewrite::Overload& overload, const emit::Powers& powers) {
  const std::vector<SampleCall> samples = SampleCallsOf(overload);
  std::vector<Outcome> all, telling;
  for (const SampleCall& sample : samples) {
    all.push_back({&sample, WhyNot(sample, powers), WhyNotItself(sample, powers)});
    if (!IsAboutArguments(sample, powers)) telling.push_back(all.back());
  }
  Pushdown out;
  if (all.empty()) {
    out.note = "its types are those of rows before it";
    return out;
  }
  const std::vector<Outcome>& outcomes = telling.empty() ? all : telling;
  out.types = ValuesOf(outcomes, Trait::kType, true);
  if (out.types.empty()) {
    out.note = Reason(outcomes);
    return out;
  }
  Foretold foretold;
  out.note = Note(outcomes, foretold);
  out.answer = out.note.empty() ? Pushdown::Answer::kYes : Pushdown::Answer::kIf;
  for (const Outcome& outcome : outcomes) {
    if (outcome.why_not.empty() == IsForetold(*outcome.sample, foretold)) continue;
    out.untold.push_back(absl::StrJoin(outcome.sample->traits, ", "));
  }
  return out;
}

}  // namespace logquery::testing
