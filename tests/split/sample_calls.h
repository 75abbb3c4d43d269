// Sample calls of each row of the function table: of every type, every date part, and every kind of argument that an engine may
// treat differently. Asking an engine about all of them tells what it is given of the row, and on which conditions.
#ifndef LOGQUERY_TESTS_SPLIT_SAMPLE_CALLS_H_
#define LOGQUERY_TESTS_SPLIT_SAMPLE_CALLS_H_

#include <array>
#include <string>
#include <vector>

#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"

namespace logquery::testing {

// Traits in which the samples of a row differ.
enum class Trait {
  kType,       // what T1, ORD1 and the like stand for
  kPart,       // a date part
  kArguments,  // columns, constants, or calls
  kOptional,   // whether the optional arguments are given
  kModifier,   // of an aggregate
};
inline constexpr size_t kTraits = 5;

struct SampleCall {
  const rewrite::Overload* overload = nullptr;
  std::array<std::string, kTraits> traits;  // empty: the row's samples do not differ in it
  Type variable;                            // what T1 and the like stand for, where the row has such
  rewrite::SingleRow input;                 // with the columns that are read
  rewrite::ScalarPtr scalar;                // the call of a function of a row
  rewrite::PlanPtr node;                    // the Aggregate or Window with the call alone

  const std::string& trait(Trait which) const { return traits[static_cast<size_t>(which)]; }
};

// The samples in a fixed order. None where earlier rows of the function take all the types.
std::vector<SampleCall> SampleCallsOf(const rewrite::Overload& overload);

// Why the call does not go to an engine with these powers; empty: it goes.
std::string WhyNot(const SampleCall& call, const emit::Powers& powers);
// Why the function does not, whatever the arguments are; empty: it is not the function.
std::string WhyNotItself(const SampleCall& call, const emit::Powers& powers);
// Returns whether the engine refuses an argument by itself, or would take the call but has no column of its type: the sample then
// says nothing of the function.
bool IsAboutArguments(const SampleCall& call, const emit::Powers& powers);

// The types that T1, ORD1 and the like of the row stand for in the call, as Trait::kType has them; empty: the row has none.
std::string TypeOfCall(const rewrite::Overload& overload, const std::vector<rewrite::ScalarPtr>& arguments);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SPLIT_SAMPLE_CALLS_H_
