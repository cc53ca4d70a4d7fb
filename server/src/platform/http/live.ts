import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { LiveHub } from '../live/live-hub.ts';
import { type Authenticator, scopeOf } from './authenticator.ts';
import { provesItself } from './unknown.ts';

const Hello = z.object({
  token: z.string().max(256),
  platform: z.enum(['centre', 'manager']),
  deptId: z.union([z.string(), z.number()]).transform(String),
  age: z.number().min(0).max(86_400_000).default(0),
});
/** In which a line says who it is. */
const HELLO_MS = 10_000;
const CHECK_MS = 60_000;

interface Socket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  ping(): void;
  on(event: 'message', listener: (data: Buffer) => void): void;
  on(event: 'close' | 'error', listener: () => void): void;
  readonly bufferedAmount: number;
}

export interface LiveParts {
  readonly authenticator: Authenticator;
  readonly hub: LiveHub;
  readonly helloMs?: number;
}

/** One WebSocket per tab: the token in its first message, since an address ends up in logs; then touched groups come down. */
export function serveLive(http: FastifyInstance, parts: LiveParts): void {
  http.get('/ops/live', { websocket: true }, (raw, request) => {
    const socket = raw as unknown as Socket;
    let stop: (() => void) | undefined;
    let check: NodeJS.Timeout | undefined;
    let latest: string | undefined;
    let isJoining = false;
    const patience = setTimeout(() => socket.close(4401, 'no token'), parts.helloMs ?? HELLO_MS);
    const end = () => {
      clearTimeout(patience);
      clearInterval(check);
      stop?.();
      stop = undefined;
    };
    const join = async (text: string) => {
      const hello = Hello.safeParse(parse(text));
      // From here on it is the database's time, not theirs: closed by then, a page would take its session for ended.
      clearTimeout(patience);
      const identity = hello.success ? await parts.authenticator.identify(hello.data.token, request.ip) : undefined;
      // A tab's line: another system has none, and what its token may read wouldn't bound what is touched.
      const scope =
        identity && !identity.token && !identity.mustWait && hello.data?.platform === identity.platform
          ? scopeOf(identity, hello.data.deptId)
          : undefined;
      if (!hello.success || !scope) return socket.close(4401, 'not signed in');
      provesItself(request, `user ${identity?.actor.userId}`);
      const ask = () =>
        parts.authenticator.identify(hello.data.token, request.ip, Number.MAX_SAFE_INTEGER).then(
          (still) => still ?? socket.close(4401, 'session ended'),
          () => {},
        );
      stop?.();
      stop = parts.hub.listen(
        {
          path: scope.path,
          send: (invalidated) => {
            // Whose rights changed may be out: asked before anything more is told.
            if (invalidated.includes('/sys/menus')) void ask();
            // A tab that doesn't read gets nothing more: it refetches when it comes back.
            if (socket.bufferedAmount < 64 * 1024) socket.send(JSON.stringify({ invalidated }));
          },
        },
        hello.data.age,
      );
      clearInterval(check);
      check = setInterval(() => {
        socket.ping();
        void ask();
      }, CHECK_MS);
      socket.send(JSON.stringify({ ready: true }));
    };
    /** One after the other, and of several only the last: a stranger could ask for many at once. */
    const joinAll = async () => {
      isJoining = true;
      for (let text = latest; text !== undefined; text = latest) {
        latest = undefined;
        await join(text).catch(() => socket.close(1011, 'not now'));
      }
      isJoining = false;
    };
    socket.on('message', (data) => {
      latest = data.toString();
      if (!isJoining) void joinAll();
    });
    socket.on('close', end);
    socket.on('error', end);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
