import { type FleetOptions, startFleet } from '@mooring/terminal/start-fleet';

/** What a terminal has in its journal. */
export interface TerminalState {
  readonly sn: string;
  readonly firmware: string;
  /** Versions of its other parts, what is set by section, digests of what it shows, its file, and the codes of its apps. */
  readonly parts: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly contents: Readonly<Record<string, string>>;
  readonly paramFile: string | undefined;
  readonly apps: Readonly<Record<string, number | undefined>>;
  readonly installs: readonly { readonly version: string; readonly sha256: string; readonly offer: string }[];
  /** Results and answers that the server hasn't acknowledged. */
  readonly unsent: number;
  /** Titles of the messages that it showed since it was started. */
  readonly shown: readonly string[];
}

// Some of the terminals, in a process of their own that may be killed.
const fleet = startFleet(JSON.parse(process.argv[2] ?? '{}') as FleetOptions);
const tell = (message: object) => process.connected && process.send?.(message);
const count = setInterval(() => tell({ online: fleet.online() }), 200);
count.unref();
/** One terminal says something; how long until it was acknowledged. */
function speak(number: number): void {
  const terminal = fleet.terminals[number % fleet.terminals.length];
  const agent = terminal?.agent();
  if (!terminal || !agent?.isUp()) return void tell({ heard: number });
  const before = new Set(terminal.journal.unsent.keys());
  const began = performance.now();
  agent.event('campaign', 'info');
  const mine = [...terminal.journal.unsent.keys()].filter((id) => !before.has(id));
  const look = setInterval(() => {
    if (mine.some((id) => terminal.journal.unsent.has(id))) return;
    clearInterval(look);
    tell({ heard: number, ms: performance.now() - began });
  }, 1);
}
process.on('message', (message: { ask?: number; speak?: number }) => {
  if (message.speak !== undefined) return speak(message.speak);
  if (message.ask === undefined) return;
  const states = fleet.terminals.map(
    ({ sn, journal, body }): TerminalState => ({
      sn,
      firmware: journal.firmware,
      parts: Object.fromEntries([...journal.parts].map(([part, { version }]) => [part, version])),
      settings: Object.fromEntries(journal.settings),
      contents: Object.fromEntries([...journal.contents].map(([section, shown]) => [section, shown.sha256])),
      paramFile: journal.paramFile === undefined ? undefined : Buffer.from(journal.paramFile, 'base64').toString(),
      apps: Object.fromEntries([...journal.apps].map(([name, app]) => [name, app?.versionCode])),
      installs: journal.installs.map(({ version, sha256, offer }) => ({ version, sha256, offer })),
      unsent: journal.unsent.size,
      shown: body.messages.map((one) => one.title),
    }),
  );
  tell({ answer: message.ask, states });
});
tell({ ready: true });
process.once('SIGTERM', () => void fleet.stop().then(() => process.exit(0)));
// The enrolment of a fleet that waits for its server has nothing open.
setInterval(() => {}, 1000);
