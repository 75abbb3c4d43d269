// Rows of the edge gateway: the largest and the most telling of the logs.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "shim/cli/folder/sample/sample_rows.h"

namespace logquery::shim {
namespace {

struct Place {
  std::string_view city, colo, continent, country, region, region_code, zone, latitude, longitude, postal;
  int asn;
  std::string_view organisation;
};

constexpr std::array<Place, 12> kPlaces = {{
    {"Köln", "CGN", "EU", "DE", "Nordrhein-Westfalen", "NW", "Europe/Berlin", "50.93750", "6.96030", "50667", 8422,
     "NetCologne GmbH"},
    {"Zürich", "ZRH", "EU", "CH", "Zürich", "ZH", "Europe/Zurich", "47.37690", "8.54170", "8004", 13030, "Init7 AG"},
    {"Kraków", "KRK", "EU", "PL", "Małopolskie", "MA", "Europe/Warsaw", "50.06140", "19.93660", "31-002", 5617,
     "Orange Polska"},
    {"Lyon", "LYS", "EU", "FR", "Auvergne-Rhône-Alpes", "ARA", "Europe/Paris", "45.76400", "4.83570", "69002", 12322,
     "Free SAS"},
    {"Leeds", "MAN", "EU", "GB", "England", "ENG", "Europe/London", "53.80080", "-1.54910", "LS1", 5089,
     "Virgin Media"},
    {"Columbus", "CMH", "NA", "US", "Ohio", "OH", "America/New_York", "39.96120", "-82.99880", "43215", 16509,
     "Amazon.com"},
    {"Portland", "PDX", "NA", "US", "Oregon", "OR", "America/Los_Angeles", "45.52340", "-122.67620", "97205", 7922,
     "Comcast \\\"Xfinity\\\""},
    {"Medellín", "MDE", "SA", "CO", "Antioquia", "ANT", "America/Bogota", "6.24420", "-75.58120", "050021", 13489,
     "EPM Telecomunicaciones"},
    {"大阪市", "KIX", "AS", "JP", "大阪府", "27", "Asia/Tokyo", "34.69370", "135.50230", "530-0001", 17511,
     "オプテージ"},
    {"Bengaluru", "BLR", "AS", "IN", "Karnataka", "KA", "Asia/Kolkata", "12.97160", "77.59460", "560001", 55836, "Jio"},
    {"القاهرة", "CAI", "AF", "EG", "القاهرة", "C", "Africa/Cairo", "30.04440", "31.23570", "11511", 8452, "TE Data"},
    {"Hobart", "HBA", "OC", "AU", "Tasmania", "TAS", "Australia/Hobart", "-42.88210", "147.32720", "7000", 1221,
     "Telstra"},
}};

constexpr std::array<std::string_view, 12> kAgents = {
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
    "Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile "
    "Safari/537.36",
    "Dart/3.4 (dart:io)",
    "okhttp/4.12.0",
    "node",
    "python-httpx/0.27.0",
    "curl/8.8.0",
    "Go-http-client/2.0",
    "axios/1.7.2"};

const Weighted<std::string_view>& Paths() {
  static const auto* const paths =
      new Weighted<std::string_view>{{"/rest/v1/profiles", 9},
                                     {"/rest/v1/orders", 7},
                                     {"/rest/v1/messages", 8},
                                     {"/rest/v1/todos", 5},
                                     {"/rest/v1/kategorien_größe", 2},
                                     {"/rest/v1/rpc/search_nearby", 4},
                                     {"/auth/v1/token", 8},
                                     {"/auth/v1/user", 7},
                                     {"/auth/v1/signup", 1},
                                     {"/auth/v1/otp", 1},
                                     {"/storage/v1/object/public/avatars/#.webp", 7},
                                     {"/storage/v1/object/sign/reports/#-bilan-été.pdf", 2},
                                     {"/storage/v1/render/image/public/photos/#.jpg", 4},
                                     {"/realtime/v1/websocket", 7},
                                     {"/functions/v1/send-mail", 3},
                                     {"/graphql/v1", 2},
                                     {"/favicon.ico", 1},
                                     {"/", 1}};
  return *paths;
}

const Weighted<std::string_view>& Searches() {
  static const auto* const searches =
      new Weighted<std::string_view>{{"", 40},
                                     {"?select=*", 14},
                                     {"?select=id,title,created_at&order=created_at.desc&limit=#", 12},
                                     {"?id=eq.#", 12},
                                     {"?grant_type=password", 5},
                                     {"?grant_type=refresh_token", 6},
                                     {"?width=#&quality=80", 5},
                                     {"?vsn=1.0.0&log_level=#", 4},
                                     {"?name=ilike.*crème*", 2},
                                     {"?q=%F0%9F%8C%8D&page=#", 2}};
  return *searches;
}

const Weighted<int>& Statuses() {
  static const auto* const statuses =
      new Weighted<int>{{200, 690}, {201, 70}, {204, 60}, {206, 10}, {304, 45}, {400, 25}, {401, 30},
                        {403, 10},  {404, 35}, {409, 6},  {429, 5},  {500, 7},  {502, 4},  {504, 3}};
  return *statuses;
}

const Weighted<std::string_view>& Methods() {
  static const auto* const methods = new Weighted<std::string_view>{{"GET", 70},   {"POST", 16},   {"PATCH", 4},
                                                                    {"DELETE", 2}, {"OPTIONS", 7}, {"HEAD", 1}};
  return *methods;
}

constexpr std::array<std::string_view, 5> kContentTypes = {"application/json; charset=utf-8", "application/json",
                                                           "image/webp", "text/html; charset=utf-8", "application/pdf"};

// `"cf":{…` of one place and protocol without its closing brace, made once: a fifth of every row is this.
std::string MakeCf(const Place& place, std::string_view protocol, int i) {
  std::string cf = Concat(R"("cf":{"asOrganization":")", place.organisation, R"(","asn":)", place.asn);
  SampleRandom random(static_cast<uint64_t>(i), "cf", 0);
  Append(cf, R"(,"botManagement":{"corporateProxy":)", i % 7 == 0 ? "true" : "false", R"(,"ja3Hash":")",
         Hex{random.Next(), 16}, Hex{random.Next(), 16}, R"(","score":)", 1 + i * 37 % 99, R"(,"staticResource":)",
         i % 3 == 0 ? "true" : "false", R"(,"verifiedBot":)", i % 11 == 0 ? "true" : "false", R"(},"city":")",
         place.city);
  Append(cf, R"(","clientAcceptEncoding":"gzip, deflate, br","clientTcpRtt":)", 4 + i * 7 % 120,
         R"(,"clientTrustScore":)", 1 + i * 53 % 99, R"(,"colo":")", place.colo, R"(","continent":")", place.continent,
         R"(","country":")", place.country, R"(","edgeRequestKeepAliveStatus":1,"httpProtocol":")", protocol, "\",");
  if (place.continent == "EU" && place.country != "CH" && place.country != "GB") Append(cf, R"("isEUCountry":"1",)");
  Append(cf, R"("latitude":")", place.latitude, R"(","longitude":")", place.longitude, R"(","postalCode":")",
         place.postal, R"(","region":")", place.region, R"(","regionCode":")", place.region_code, R"(","timezone":")",
         place.zone);
  Append(cf, R"(","tlsCipher":"AEAD-AES128-GCM-SHA256","tlsClientAuth":{"certPresented":"0","certRevoked":"0",)",
         R"("certVerified":"NONE"},"tlsVersion":"TLSv1.3")");
  return cf;
}

struct Client {
  const Place* place;
  std::string cf;
};

const std::vector<Client>& Clients() {
  static const auto* const clients = [] {
    auto* made = new std::vector<Client>;
    for (const Place& place : kPlaces) {
      for (const std::string_view protocol : {"HTTP/1.1", "HTTP/2", "HTTP/3"}) {
        made->push_back({&place, MakeCf(place, protocol, static_cast<int>(made->size()))});
      }
    }
    return made;
  }();
  return *clients;
}

// `text` with each # in it replaced by a number.
std::string Filled(std::string_view text, SampleRandom& random) {
  std::string filled;
  for (const char c : text) {
    if (c == '#') {
      Append(filled, random.Below(5'000));
    } else {
      filled.push_back(c);
    }
  }
  return filled;
}

struct EdgeRequest {
  std::string_view method;
  int status;
  std::string path, search, url, address, ray;
  std::string_view agent;
  const Client* client;
};

EdgeRequest MakeRequest(const SampleRow& row) {
  EdgeRequest request;
  request.method = Methods().Pick(row.random);
  request.status = Statuses().Pick(row.random);
  request.path = Filled(Paths().Pick(row.random), row.random);
  request.search = Filled(Searches().Pick(row.random), row.random);
  request.url = Concat("https://", row.ref(), ".example.co", request.path, request.search);
  request.address = SampleAddress(row.random);
  request.ray = Concat(Hex{row.random.Next(), 16});
  request.agent = row.random.Pick(kAgents);
  request.client = &row.random.Pick(Clients());
  return request;
}

void AppendHeaders(const SampleRow& row, const EdgeRequest& request) {
  Append(row.out, R"("headers":{"accept":"*/*","cf_connecting_ip":")", request.address, R"(","cf_ipcountry":")",
         request.client->place->country, R"(","cf_ray":")", request.ray, R"(","host":")", row.ref(),
         R"(.example.co",)");
  if (!row.random.OneIn(3)) Append(row.out, R"("referer":"https://app.)", row.ref().substr(0, 7), R"(.example/",)");
  Append(row.out, R"("user_agent":")", request.agent, R"(","x_client_info":"client-js/2.)", row.random.Below(45),
         R"(.0","x_forwarded_proto":"https","x_real_ip":")", request.address, R"("},)");
}

void AppendJwt(const SampleRow& row) {
  Append(row.out, R"("sb":{"auth_user":")", row.NewUuid(),
         R"(","jwt":{"authorization":{"payload":{"algorithm":"HS256",)", R"("expires_at":)",
         row.time.unix_micros / 1'000'000 + 3'600, R"(,"role":"authenticated","subject":")", row.NewUuid(),
         R"("}}}},)");
}

void AppendRequest(const SampleRow& row, const EdgeRequest& request) {
  Append(row.out, R"("request":{)");
  if (!row.random.OneIn(100)) {
    Append(row.out, request.client->cf);
    if (row.random.OneIn(5)) {
      Append(row.out, R"(,"tlsExportedAuthenticator":{)");
      std::string_view separator;
      for (const std::string_view key : {"clientFinished", "clientHandshake", "serverFinished", "serverHandshake"}) {
        Append(row.out, separator, "\"", key, "\":\"");
        for (int i = 0; i < 4; ++i) Append(row.out, Hex{row.random.Next(), 16});
        Append(row.out, "\"");
        separator = ",";
      }
      Append(row.out, "}");
    }
    Append(row.out, "},");
  }
  if (!row.random.OneIn(150)) AppendHeaders(row, request);
  if (row.random.OneIn(4)) AppendJwt(row);
  Append(row.out, R"("host":")", row.ref(), R"(.example.co","method":")", request.method, R"(","path":")", request.path,
         R"(","protocol":"https:","search":")", request.search, R"(","url":")", request.url, "\"}");
}

void AppendResponse(const SampleRow& row, const EdgeRequest& request) {
  Append(row.out, R"(,"response":{"headers":{"cf_cache_status":")", row.random.OneIn(8) ? "HIT" : "DYNAMIC",
         R"(","cf_ray":")", request.ray, "-", request.client->place->colo, R"(","content_length":")",
         row.random.Skewed(1'400, 5), R"(","content_type":")", row.random.Pick(kContentTypes), R"(","date":")",
         row.time.second(), R"(Z","sb_gateway_version":"1"},"origin_time":)", row.random.Skewed(60, 4),
         R"(,"status_code":)", request.status, "}");
}

}  // namespace

void AppendEdgeRow(const SampleRow& row) {
  const EdgeRequest request = MakeRequest(row);
  row.Begin();
  Append(row.out, request.method, " | ", request.status, " | ", request.address, " | ", request.ray, " | ", request.url,
         " | ", request.agent, R"(","project":")", row.ref(), R"(","metadata":)");
  const uint64_t shape = row.random.Below(1'000);
  if (shape < 2) {
    Append(row.out, shape == 0 ? "{}" : "null");
  } else {
    Append(row.out, R"({"logflare_worker":{"worker_id":")", std::string_view(request.ray).substr(0, 6), "\"},");
    AppendRequest(row, request);
    if (shape >= 12) AppendResponse(row, request);
    Append(row.out, "}");
  }
  Append(row.out, "}\n");
}

}  // namespace logquery::shim
