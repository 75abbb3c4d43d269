// Reads a file or a stream to its end.
#include "shim/command/sql_input.h"

#include <fstream>
#include <iterator>

#include "lib/base/strings.h"

namespace logquery::shim {

absl::StatusOr<std::string> ReadSql(const std::string& file, std::istream& in) {
  if (file.empty() || file == "-") return std::string(std::istreambuf_iterator<char>(in), {});
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (!stream) return absl::NotFoundError(base::StrCat("can't read ", file));
  return text;
}

}  // namespace logquery::shim
