import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import tls, { createSecureContext, getCACertificates, setDefaultCACertificates } from 'node:tls';

/** What Node brings with it, what this system trusts, what NODE_EXTRA_CA_CERTS names, and what a command line names besides. */
let own: readonly string[] = [];
const ordinary = () => [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...own])];

/**
 * Every connection of this process that names no authority of its own, such as enrolment, trusts what its system trusts, and the given file;
 * none takes less than TLS 1.2.
 */
export function trustSystem(file?: string): void {
  tls.DEFAULT_MIN_VERSION = 'TLSv1.2';
  if (file !== undefined) own = [readFileSync(file, 'utf8')];
  setDefaultCACertificates(ordinary());
}

const agents = new Map<string, Agent>();

/** Files come from this server, from a proxy in front of it or from an object store: by an ordinary certificate, or by one below the device root. */
export function secureAgent(root: string | undefined): Agent {
  const key = root ?? '';
  const known = agents.get(key);
  if (known) return known;
  // A context, not a list: the list would be part of the name of every socket that is kept.
  const secureContext = createSecureContext({ ca: [...ordinary(), ...(root ? [root] : [])] });
  const made = new Agent({ keepAlive: true, maxSockets: 256, secureContext });
  agents.set(key, made);
  return made;
}
