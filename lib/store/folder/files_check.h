// What can be told of a data folder from outside its database.
#ifndef LOGQUERY_LIB_STORE_FOLDER_FILES_CHECK_H_
#define LOGQUERY_LIB_STORE_FOLDER_FILES_CHECK_H_

#include <string>
#include <vector>

#include "logquery/store/folder_check.h"

namespace logquery::store {

// Symbolic links in it, which nothing follows.
void CheckLinks(const std::string& folder, std::vector<FolderFinding>* findings);

// Symbolic links, who may read it, room on its disk, what waits in its spool for an operator.
void CheckFiles(const std::string& folder, std::vector<FolderFinding>* findings);

// What processes that were killed have left; with `repair` it goes. Only while no process has the folder open for writing:
// one that has uses such files. Rejected rows are settled by who opens it for writing, and only named here.
void CheckLeftovers(const std::string& folder, bool repair, std::vector<FolderFinding>* findings);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_FILES_CHECK_H_
