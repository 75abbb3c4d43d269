// Changes a data folder that nothing has open, past the store: what an older version or a fault would have left there.
#ifndef LOGQUERY_TESTS_SUPPORT_FOLDER_SQL_H_
#define LOGQUERY_TESTS_SUPPORT_FOLDER_SQL_H_

#include <string>

namespace logquery::testing {

// Runs the statement in the folder's database. Returns whether it succeeded.
bool RunInFolder(const std::string& folder, const std::string& statement);

// Makes the folder look as if it had last been used so many days ago. Returns whether it was done.
bool TurnClockBack(const std::string& folder, int days);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_FOLDER_SQL_H_
