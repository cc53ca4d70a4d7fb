import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import {
  type InvalidateQueryFilters,
  keepPreviousData,
  type Query,
  QueryClient,
  useMutation,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { toast } from '../ui/toast.tsx';
import { type Words, wordsOf } from '../ui/words.ts';
import { notOlder, withAnswer } from './answered.ts';
import { api } from './client.ts';
import { nothingDone } from './list/bulk-outcome.ts';
import { makeOnce } from './once.ts';
import { type CallError, isCallError } from './outcome.ts';
import { session, useSession } from './session.ts';

/** No answer came or the server asked to wait; a refusal is final. */
const passes = (error: unknown) => isCallError(error) && !error.cancelled && (error.transport || error.code === 503 || error.code === 429);
const again = (failures: number, error: unknown) => passes(error) && failures < 3;
const pause = (failures: number, error: unknown) =>
  isCallError(error) && error.wait ? error.wait * 1000 : Math.min(8000, 500 * 2 ** failures) * (0.75 + Math.random() / 2);

/** A thousand tabs that met the same outage don't ask at once. */
const LATER_MS = 10_000 * (0.75 + Math.random() / 2);
/** What is shown and couldn't be refreshed is asked for as long as somebody looks: nothing else may ever touch its group again. */
const later = ({ state }: { state: { error: unknown } }) => passes(state.error) && LATER_MS;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: again,
      retryDelay: pause,
      refetchInterval: later,
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

const keyOf = (call: Pick<Call, 'group' | 'name'>, place: string, input: unknown) => [call.group, call.name, place, input] as const;

/** An answer that came before anyone showed it. */
export function remember<C extends Call>(
  call: C,
  place: { platform: string; deptId: number | undefined },
  input: InputOf<C>,
  output: OutputOf<C>,
): void {
  queryClient.setQueryData(keyOf(call, `${place.platform}:${place.deptId}`, input), output as never);
}

/** Changes that were answered so far. */
let answered = 0;
/** What was asked for before a change was answered may have been read before it, and takes nothing of it back. */
async function readFresh<T>(queryKey: readonly unknown[], read: () => Promise<T>): Promise<T> {
  const before = answered;
  const found = await read();
  return answered === before ? found : (notOlder(queryClient.getQueryData(queryKey), found) as T);
}

export interface UseCallOptions {
  enabled?: boolean;
  /** Ask again after so many seconds: for work under way. */
  every?: number | undefined;
  /** Keep showing the answer to the input before while the next is on its way. */
  keep?: boolean;
  /** Not asked again when its group is touched: a long look at something that doesn't change. */
  once?: boolean;
}

export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: CallError | undefined;
  /** Nothing to show yet. */
  readonly loading: boolean;
  readonly fetching: boolean;
  /** What is shown answers an earlier input. */
  readonly outdated: boolean;
  readonly retry: () => void;
}

/** A read, kept, shared, and refetched when its group is touched. It shows no message: the page has an error state. */
export function useCall<C extends Call>(
  call: C,
  input: InputOf<C>,
  { enabled = true, every, keep = false, once = false }: UseCallOptions = {},
): Asked<OutputOf<C>> {
  const { platform, deptId } = useSession();
  const queryKey = [...(once ? ['once'] : []), ...keyOf(call, `${platform}:${deptId}`, input)];
  const query = useQuery<OutputOf<C>, CallError>({
    queryKey,
    queryFn: ({ signal }) => readFresh(queryKey, () => api(call, input, { hidden: true, signal })),
    enabled,
    meta: { output: call.output },
    ...(once ? { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 } : {}),
    ...(every ? { refetchInterval: every * 1000 } : {}),
    ...(keep ? { placeholderData: keepPreviousData as never } : {}),
  });
  return {
    data: query.data as OutputOf<C> | undefined,
    error: query.error ?? undefined,
    loading: query.isPending && enabled,
    fetching: query.isFetching,
    outdated: query.isPlaceholderData,
    retry: () => void query.refetch(),
  };
}

const askedAgain = new WeakSet<Query>();
/** None is broken off for it: where touches come faster than answers, nothing would ever be answered. */
const anew = (which: InvalidateQueryFilters) => queryClient.invalidateQueries(which, { cancelRefetch: false });

/**
 * What was touched is fetched anew. What is on its way may have been read before that, and is fetched once more when it has come: the first
 * answer of a page that was just opened would stay as it was until something else touches it.
 */
export function touched(which: InvalidateQueryFilters): void {
  const underWay = queryClient.getQueryCache().findAll({ ...which, fetchStatus: 'fetching' });
  void anew(which);
  for (const query of underWay) {
    if (askedAgain.has(query)) continue;
    askedAgain.add(query);
    const own = { queryKey: query.queryKey, exact: true };
    void anew(own).then(() => {
      askedAgain.delete(query);
      return anew(own);
    });
  }
}

/** What a group shows is fetched anew, where something else than its own calls changed it. */
export const refresh = (group: string): void => touched({ queryKey: [group] });

/**
 * What a change answered is shown where the same row is on screen: whoever acts on it before it is fetched anew would act on one of before, and
 * be refused.
 */
function showAnswer(call: Call, output: unknown): void {
  answered += 1;
  const { platform, deptId } = session.get();
  const place = `${platform}:${deptId}`;
  for (const { queryKey, meta, state } of queryClient.getQueryCache().findAll({ queryKey: [call.group] })) {
    if (queryKey[2] !== place || !meta?.output || state.data === undefined) continue;
    const shown = withAnswer(state.data, meta.output as Call['output'], output, call.output);
    if (shown !== state.data) queryClient.setQueryData(queryKey, shown);
  }
}

const whenActed = new Set<() => void>();

/** A change is done: what its group shows is fetched anew. */
function acted(group: string): void {
  refresh(group);
  for (const listener of whenActed) listener();
}

/** Calls back so long after the last change that this tab has made. */
export function useActed(afterMs: number, callBack: () => void): void {
  const due = useEffectEvent(callBack);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listener = () => {
      clearTimeout(timer);
      timer = setTimeout(() => due(), afterMs);
    };
    whenActed.add(listener);
    return () => {
      clearTimeout(timer);
      whenActed.delete(listener);
    };
  }, [afterMs]);
}

export interface ActOptions<C extends Call> {
  done?: (output: OutputOf<C>, input: InputOf<C>) => void;
  /** Said when it is done. */
  successText?: Words | ((output: OutputOf<C>) => Words | undefined);
  hidden?: boolean;
}

export interface Act<C extends Call> {
  readonly run: (input: InputOf<C>) => void;
  readonly ask: (input: InputOf<C>) => Promise<OutputOf<C>>;
  readonly busy: boolean;
  readonly error: CallError | undefined;
  readonly clear: () => void;
}

/** A change. What the call's group shows is fetched anew when it is done. */
export function useAct<C extends Call>(call: C, { done, successText, hidden = false }: ActOptions<C> = {}): Act<C> {
  const mutation = useMutation<OutputOf<C>, CallError, InputOf<C>>({
    mutationFn: (input) => change(call, input, { hidden }),
    onSuccess: (output, input) => {
      const words = typeof successText === 'function' ? successText(output) : successText;
      if (words) toast('done', wordsOf(words));
      done?.(output, input);
    },
  });
  // By itself it is known as busy a moment later only: a second click, or Escape, may come before that.
  const [once] = useState(() => makeOnce<InputOf<C>, OutputOf<C>>());
  const [running, setRunning] = useState(0);
  const ask = (input: InputOf<C>) => {
    const { made, isFirst } = once(input, (given) => mutation.mutateAsync(given));
    if (isFirst) {
      setRunning((count) => count + 1);
      const ended = () => setRunning((count) => count - 1);
      made.then(ended, ended);
    }
    return made;
  };
  return {
    run: (input) => void ask(input).catch(() => undefined),
    ask,
    busy: mutation.isPending || running > 0,
    error: mutation.error ?? undefined,
    clear: mutation.reset,
  };
}

export interface ChangeOptions {
  /** The caller shows the failure itself. */
  hidden?: boolean;
  /** The caller shows each row that was refused, so an outcome with none done is an answer like another. */
  showsRefused?: boolean;
}

/**
 * Every change goes this way, from a component's own hook or with a call that is known only at the click. One that changed nothing
 * is thrown like a refusal: so nobody can say of it that it went well.
 */
export async function change<C extends Call>(
  call: C,
  input: unknown,
  { hidden = false, showsRefused = false }: ChangeOptions = {},
): Promise<OutputOf<C>> {
  const output = await api(call, input as never, { hidden });
  showAnswer(call, output);
  // Nothing done means that what is on screen is no longer so.
  acted(call.group);
  const nothing = nothingDone(output, showsRefused);
  if (!nothing) return output;
  if (!hidden) toast('warning', nothing.message);
  throw nothing;
}

/** The same read with several inputs at once, such as the open levels of a tree. */
export function useCalls<C extends Call>(call: C, inputs: readonly InputOf<C>[]): readonly { readonly data: OutputOf<C> | undefined }[] {
  const { platform, deptId } = useSession();
  return useQueries({
    queries: inputs.map((input) => ({
      queryKey: keyOf(call, `${platform}:${deptId}`, input),
      queryFn: ({ signal }: { signal: AbortSignal }) => api(call, input, { hidden: true, signal }),
    })),
  }) as readonly { data: OutputOf<C> | undefined }[];
}
