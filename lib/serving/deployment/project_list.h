// SQL that lists the projects that have rows, for those who may read the rows of all projects.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_PROJECT_LIST_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_PROJECT_LIST_H_

#include <optional>
#include <string>

#include "logquery/catalog.h"

namespace logquery::serving {

// A list has no more than so many projects: those with the newest rows.
inline constexpr int kMostListedProjects = 500;

// Returns SQL for Deployment::RunSql with the columns `project` and `newest`, the time of the project's newest row, the newest
// first. With `days`, only rows of so many days until now count. Empty: no log has projects.
std::string ListProjectsSql(const Catalog& catalog, std::optional<int> days);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_PROJECT_LIST_H_
