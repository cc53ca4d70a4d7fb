// Whether the server of this container lives: it may speak plainly, or with a certificate that only people know.
import { get as plain } from 'node:http';
import { get as secure } from 'node:https';

const port = process.env.PORT || 8080;
const ask = (get, scheme) =>
  new Promise((resolve) => {
    const request = get(`${scheme}://127.0.0.1:${port}/healthz`, { rejectUnauthorized: false, timeout: 3000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.once('timeout', () => request.destroy()).once('error', () => resolve(false));
  });
process.exit((await ask(plain, 'http')) || (await ask(secure, 'https')) ? 0 : 1);
