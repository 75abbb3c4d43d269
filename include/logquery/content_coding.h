// How an answer's bytes are packed: the codings of HTTP (RFC 9110, section 8.4.1) that there are.
#ifndef LOGQUERY_CONTENT_CODING_H_
#define LOGQUERY_CONTENT_CODING_H_

#include <string_view>

namespace logquery {

enum class ContentCoding {
  kIdentity,  // as they are
  kGzip,      // RFC 1952
  kZstd,      // RFC 8878
};

// "identity", "gzip", "zstd": as Content-Encoding has it.
inline std::string_view ContentCodingName(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::kIdentity:
      break;
    case ContentCoding::kGzip:
      return "gzip";
    case ContentCoding::kZstd:
      return "zstd";
  }
  return "identity";
}

}  // namespace logquery

#endif  // LOGQUERY_CONTENT_CODING_H_
