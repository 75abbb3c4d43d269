// Protects a listener without tokens from web pages: a page of any site can have its name resolve to 127.0.0.1 (DNS
// rebinding), and then read answers from there as its own. Its requests have that name as Host.
#ifndef LOGQUERY_LIB_BASE_OWN_HOST_H_
#define LOGQUERY_LIB_BASE_OWN_HOST_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::base {

// Returns whether a request's header Host is one of the listener's: any IP address, because no site has one as its
// name, localhost, names below it, or one of `names`. A port is ignored.
bool IsOwnHost(std::string_view host, const std::vector<std::string>& names);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_OWN_HOST_H_
