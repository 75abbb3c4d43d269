// The data folder that a server is to open.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_DATA_FOLDER_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_DATA_FOLDER_H_

#include <string>

#include "absl/status/status.h"

namespace logquery::serving {

// NotFound: there is no such folder, and a server makes none, because its name may be misspelt.
absl::Status CheckFolderExists(const std::string& folder);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_DATA_FOLDER_H_
