import { SN } from './limits.ts';

export const upKinds = ['hello', 'beat', 'progress', 'result', 'property', 'event', 'reply', 'log', 'test', 'bye'] as const;
export type UpKind = (typeof upKinds)[number];
export const downKinds = ['offer', 'cancel', 'command', 'config', 'ack'] as const;
export type DownKind = (typeof downKinds)[number];

/** Repeated by the terminal until our `ack` names them; the ack is sent after the commit. */
export const ackedKinds: readonly UpKind[] = ['hello', 'result', 'event', 'reply', 'log', 'test'];
/** Kept in a row and repeated until the terminal answers. */
export const durableKinds: readonly DownKind[] = ['offer', 'cancel', 'command', 'config'];

export const upTopic = (sn: string, kind: string): string => `d/${sn}/up/${kind}`;
export const downTopic = (sn: string, kind: string): string => `d/${sn}/down/${kind}`;
/** The one subscription of a terminal besides its exact topics. */
export const downFilter = (sn: string): string => `d/${sn}/down/+`;

const KIND = /^[A-Za-z0-9_-]{1,32}$/;

export interface Topic {
  readonly sn: string;
  readonly direction: 'up' | 'down';
  readonly kind: string;
}

/** Takes a topic apart; undefined where it isn't one of the protocol. */
export function readTopic(topic: string): Topic | undefined {
  const [root, sn, direction, kind, ...rest] = topic.split('/');
  if (root !== 'd' || rest.length > 0 || !sn || !kind || !SN.test(sn)) return undefined;
  if ((direction !== 'up' && direction !== 'down') || !KIND.test(kind)) return undefined;
  return { sn, direction, kind };
}

/** May this identity publish here? Its own `up` topics, of any kind: an unknown one is stored with its reason. */
export const mayPublish = (sn: string, topic: string): boolean => {
  const own = upTopic(sn, '');
  return sn !== '' && topic.startsWith(own) && KIND.test(topic.slice(own.length));
};

/** May this identity subscribe so? Its own `down` topics; the one wildcard is the kind. */
export const maySubscribe = (sn: string, filter: string): boolean => {
  if (filter === downFilter(sn)) return true;
  const read = readTopic(filter);
  return read !== undefined && read.direction === 'down' && read.sn === sn;
};
