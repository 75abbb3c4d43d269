// An HTTP proxy in front of a server that keeps each exchange: what a client really sent, and what it got.
import http from 'node:http';

export async function startRecordingProxy(target) {
  const exchanges = [];
  const proxy = http.createServer((request, response) => {
    const exchange = { method: request.method, url: request.url, headers: request.headers };
    exchanges.push(exchange);
    const onward = http.request(new URL(request.url, target), { method: request.method, headers: request.headers }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => {
        const body = Buffer.concat(pieces);
        Object.assign(exchange, { status: answer.statusCode, body: body.toString() });
        response.writeHead(answer.statusCode, answer.headers);
        response.end(body);
      });
    });
    onward.on('error', (error) => response.writeHead(502).end(error.message));
    request.pipe(onward);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    exchanges,
    stop: () => new Promise((resolve) => {
      proxy.closeAllConnections();
      proxy.close(resolve);
    }),
  };
}
