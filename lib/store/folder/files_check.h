// Checks a data folder's files without opening its database.
#ifndef LOGQUERY_LIB_STORE_FOLDER_FILES_CHECK_H_
#define LOGQUERY_LIB_STORE_FOLDER_FILES_CHECK_H_

#include <string>
#include <vector>

#include "logquery/store/folder_check.h"

namespace logquery::store {

// Finds symbolic links in the folder; none is followed.
void CheckLinks(const std::string& folder, std::vector<FolderFinding>* findings);

// Checks symbolic links, permissions, disk space, and the spool's files that need an operator.
void CheckFiles(const std::string& folder, std::vector<FolderFinding>* findings);

// Finds files that killed processes left behind; with `repair` deletes them. Call it only while no process has the
// folder open for writing, because a writer uses such files. Rejected rows are only reported; the next writer settles
// them.
void CheckLeftovers(const std::string& folder, bool repair, std::vector<FolderFinding>* findings);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_FILES_CHECK_H_
