// The function to which the parts of a deployment report events (DeploymentOptions::log); never empty.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_EVENT_LOG_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_EVENT_LOG_H_

#include <functional>
#include <string_view>

namespace logquery::serving {

using EventLog = std::function<void(std::string_view level, std::string_view line)>;

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_EVENT_LOG_H_
