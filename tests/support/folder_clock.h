// Changes what a data folder has recorded of the machine's clock.
#ifndef LOGQUERY_TESTS_SUPPORT_FOLDER_CLOCK_H_
#define LOGQUERY_TESTS_SUPPORT_FOLDER_CLOCK_H_

#include <string>

namespace logquery::testing {

// As if the folder, which nothing has open, had been used for the last time so many days ago. Returns whether it was done.
bool TurnClockBack(const std::string& folder, int days);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_FOLDER_CLOCK_H_
