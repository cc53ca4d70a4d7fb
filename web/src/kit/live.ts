import { useEffect } from 'react';
import { createStore } from '../ui/store.ts';
import { OPS } from './base.ts';
import { touched } from './queries.ts';
import { session, tokenOf } from './session.ts';

export const liveState = createStore<'off' | 'joining' | 'on' | 'lost'>('off');

/** Grows to half a minute; the jitter keeps a thousand tabs from coming back at once. */
export const backOff = (tries: number, random: number): number => Math.min(30_000, 1000 * 2 ** tries) * (0.5 + random);

/** The first questions of a platform or organisation are asked within this time before the line is joined. */
const FIRST_MS = 10_000;
let socket: WebSocket | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let tries = 0;
let wanted = false;
/** When this tab began to ask what it shows. */
let began = Date.now();
const waiting = new Set<string>();

const listeners = new Set<(groups: ReadonlySet<string>) => void>();
/** What is made of other groups' rows is fetched anew when one of those is touched, at most this often. */
const MADE_OF_MS = 5000;

/** Refetches a group that shows figures of others. */
export function useMadeOf(group: string, others: readonly string[]): void {
  const watched = others.join(' ');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listener = (groups: ReadonlySet<string>) => {
      if (timer || !watched.split(' ').some((one) => groups.has(one))) return;
      timer = setTimeout(() => {
        timer = undefined;
        touched({ queryKey: [group] });
      }, MADE_OF_MS);
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      clearTimeout(timer);
    };
  }, [group, watched]);
}

function refresh(): void {
  if (document.hidden || waiting.size === 0) return;
  const groups = new Set(waiting);
  waiting.clear();
  for (const listener of listeners) listener(groups);
  touched({ predicate: ({ queryKey }) => groups.has(String(queryKey[0])) });
}

function join(): void {
  clearTimeout(timer);
  const { platform, deptId } = session.get();
  const token = tokenOf(platform);
  if (!wanted || !token) return;
  liveState.set(tries > 0 ? 'lost' : 'joining');
  const made = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${OPS}/live`);
  socket = made;
  made.onopen = () => made.send(JSON.stringify({ token, platform, deptId, age: Date.now() - began }));
  made.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as { ready?: boolean; invalidated?: string[] };
    if (message.ready) {
      // What changed while the line was down was never told.
      if (tries > 0) touched({});
      tries = 0;
      liveState.set('on');
    }
    for (const group of message.invalidated ?? []) waiting.add(group);
    refresh();
  };
  made.onclose = ({ code }) => {
    if (socket !== made) return;
    socket = undefined;
    liveState.set(wanted ? 'lost' : 'off');
    // 4401: the session is over; the next call says so too.
    if (wanted && code !== 4401) timer = setTimeout(join, backOff(tries++, Math.random()));
  };
}

/** One line per tab. Joined again whenever platform or organisation change. */
export function joinLive(): void {
  leaveLive();
  began = Math.max(began, Date.now() - FIRST_MS);
  wanted = true;
  join();
}

export function leaveLive(): void {
  wanted = false;
  tries = 0;
  clearTimeout(timer);
  const open = socket;
  socket = undefined;
  open?.close();
  liveState.set('off');
}

document.addEventListener('visibilitychange', () => {
  refresh();
  if (!document.hidden && liveState.get() === 'lost') join();
});
