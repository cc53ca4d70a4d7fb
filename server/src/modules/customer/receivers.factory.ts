import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type MqttClient } from 'mqtt';
import { freePort } from '../../platform/free-port.ts';

/** A certificate that is its own authority, in files. */
function makeCertificate(folder: string): { cert: string; key: string; certFile: string; keyFile: string } {
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile, '-out', certFile, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...made, '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'], {
    stdio: 'ignore',
  });
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8'), certFile, keyFile };
}

export interface Got {
  readonly id: string;
  readonly seq: number;
  readonly sn: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}
interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type Answer = number | { status: number; headers?: Record<string, string>; body?: string };
export interface HttpsReceiver {
  readonly url: string;
  readonly ca: string;
  readonly got: Request[];
  /** What it answers: 200 unless it is said. */
  answer: (request: Request) => Answer | Promise<Answer>;
  bodies(): Got[];
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

/** A small receiver over TLS with a certificate of its own. */
export async function httpsReceiver(): Promise<HttpsReceiver> {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-iot-'));
  const { cert, key } = makeCertificate(folder);
  const got: Request[] = [];
  const port = await freePort();
  let server: Server | undefined;
  const receiver: HttpsReceiver = {
    url: `https://127.0.0.1:${port}`,
    ca: cert.trim(),
    got,
    answer: () => 200,
    bodies: () => got.map((one) => JSON.parse(one.body) as Got),
    async up() {
      server = createServer({ cert, key }, (request, response) => {
        let body = '';
        request.on('data', (part: Buffer) => {
          body += part.toString();
        });
        request.on('end', async () => {
          const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
          const said = await receiver.answer(one);
          const { status, headers = {}, body: text = '' } = typeof said === 'number' ? { status: said } : said;
          if (status < 300) got.push(one);
          response.writeHead(status, headers).end(text);
        });
      });
      await new Promise<void>((done) => server?.listen(port, '127.0.0.1', done));
    },
    async down() {
      server?.closeAllConnections();
      await new Promise<void>((done) => (server ? server.close(() => done()) : done()));
      server = undefined;
    },
    async stop() {
      await receiver.down();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await receiver.up();
  return receiver;
}

export interface Mosquitto {
  readonly url: string;
  readonly ca: string;
  readonly got: { readonly topic: string; readonly body: Got; readonly properties: unknown }[];
  /** Ends it without a word. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}
export const MQTT_USER = 'mooring';
export const MQTT_PASSWORD = 'broker-password-1';

/** Somebody else's Mosquitto over TLS, with users, that hears all that comes. */
export async function startMosquitto(more = ''): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-iot-broker-'));
  const { cert, certFile, keyFile } = makeCertificate(folder);
  const port = await freePort();
  const file = (name: string) => join(folder, name);
  execFileSync('mosquitto_passwd', ['-b', '-c', file('users'), MQTT_USER, MQTT_PASSWORD]);
  writeFileSync(file('acl'), `user ${MQTT_USER}\ntopic readwrite #\ntopic deny forbidden/#\n`);
  writeFileSync(
    file('mosquitto.conf'),
    `listener ${port} 127.0.0.1\ncertfile ${certFile}\nkeyfile ${keyFile}\nallow_anonymous false\npassword_file ${file('users')}\nacl_file ${file('acl')}\nmax_packet_size 60000\npersistence true\npersistence_location ${folder}/\nautosave_on_changes true\nautosave_interval 1\n${more}`,
  );
  // Under root mosquitto becomes a user of its own, who has to read the keys.
  for (const name of ['.', 'tls.key', 'users', 'acl']) chmodSync(file(name), name === '.' ? 0o777 : 0o644);
  let child: ChildProcess | undefined;
  let listener: MqttClient | undefined;
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connectPlain(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
  const mosquitto: Mosquitto = {
    url: `mqtts://127.0.0.1:${port}`,
    ca: cert.trim(),
    got: [],
    async up() {
      child = spawn('mosquitto', ['-c', file('mosquitto.conf')], {
        stdio: 'ignore',
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
      });
      while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 30));
      // What comes before it is here again is kept for it: its session is written down as soon as it changes.
      const session = { clientId: 'listener', clean: false, properties: { sessionExpiryInterval: 3600 } };
      const client = connect(`mqtts://127.0.0.1:${port}`, {
        ...{ ca: cert, username: MQTT_USER, password: MQTT_PASSWORD, protocolVersion: 5 },
        ...session,
      });
      listener = client;
      client.on('error', () => {});
      client.on('message', (topic, payload, packet) =>
        mosquitto.got.push({ topic, body: JSON.parse(payload.toString()) as Got, properties: packet.properties?.userProperties }),
      );
      await new Promise<void>((done) => client.once('connect', () => done()));
      await client.subscribeAsync('#', { qos: 1 });
    },
    async down() {
      listener?.end(true);
      const ended = new Promise<void>((done) => (child ? child.once('exit', () => done()) : done()));
      child?.kill('SIGKILL');
      await ended;
      child = undefined;
    },
    async stop() {
      await mosquitto.down();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await mosquitto.up();
  return mosquitto;
}
