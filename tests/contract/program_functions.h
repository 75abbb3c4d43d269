// Functions that this program has registered before anything else of the library ran, since its tables of functions are
// made once.
#ifndef LOGQUERY_TESTS_CONTRACT_PROGRAM_FUNCTIONS_H_
#define LOGQUERY_TESTS_CONTRACT_PROGRAM_FUNCTIONS_H_

#include "absl/status/status.h"

namespace logquery::testing {

// The status of registering the functions below and those of the contract.
absl::Status ProgramFunctionsStatus();

// The functions, besides those of the contract:
//
//   open_count()           1, 2, 3 …; not pure, and for callers' SQL, too
//   wait_for_end(INT64)    runs until its query must end
//   misread(INT64)         reads its argument as a STRING
//   bad_date(INT64)        a DATE so many days after 1970
//   other_type()           is declared as INT64, and gives a text
//   no_number(STRING)      a NUMERIC of these digits
//   long_text(INT64)       a text of so many bytes
//   throw_int(INT64)       throws an int
//   bad_text(INT64)        a text with invalid UTF-8

// Returns when a row has got to wait_for_end since the last call.
void AwaitCall();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CONTRACT_PROGRAM_FUNCTIONS_H_
