import { z } from 'zod';

/** Who may make a call: anybody, anybody signed in, or holders of a permission. A list needs all of them; `a||b` any. */
export type Can = 'public' | 'session' | `${string}:${string}` | readonly `${string}:${string}`[];
export type Platform = 'centre' | 'manager';
export type Method = 'POST' | 'GET';
/** How bytes travel: JSON both ways, a multipart upload in, or a binary answer out. */
export type Wire = 'json' | 'multipart' | 'binary';

export interface CallSpec<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly can: Can;
  /** A read changes nothing: no audit row, no touched groups, and the client may cache and repeat it. */
  readonly reads?: boolean;
  /** False: what it writes is itself the record, or one of many small steps of what has one; it leaves no audit row and touches no list. */
  readonly audited?: boolean;
  /** Overrides the path made of the group's base and the call's name. `{id}` marks a path parameter, an input field. */
  readonly path?: string;
  readonly method?: Method;
  readonly wire?: Wire;
  /** Only this platform may call it; both where it is left out. */
  readonly platform?: Platform;
  /** 'own': the handler takes short transactions itself, because it waits for something slow. */
  readonly tx?: 'call' | 'own';
  readonly input?: I;
  readonly output?: O;
  /** Asks the person again who they are, unless they proved it in the last ten minutes (design 5, "step-up"). */
  readonly stepUp?: boolean;
  /** Kept as a change request until a second person approves it, where the installation asks for dual control. Answers a `ChangeOutcome`. */
  readonly dual?: boolean;
  /**
   * A `session` call that another system's key may make: it asks by itself what the key was given. All others are a person's own. Of a call that asks
   * again who it is: not of a key, whose person was asked when it was made.
   */
  readonly tokens?: true;
  /** What anybody gets alike, whoever asks and whatever opens it: packed, and kept packed for the next one. */
  readonly shared?: true;
  readonly faults?: readonly string[];
  /** Time-out of the client in seconds (specification, section 9): 20, uploads 60, downloads 600. */
  readonly timeout?: number;
  readonly about?: string;
}

export interface Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly domain: string;
  readonly group: string;
  readonly name: string;
  readonly path: string;
  readonly method: Method;
  readonly wire: Wire;
  readonly can: Can;
  readonly reads: boolean;
  readonly audited: boolean;
  readonly platform: Platform | undefined;
  readonly tx: 'call' | 'own';
  readonly input: I;
  readonly output: O;
  readonly stepUp: boolean;
  readonly dual: boolean;
  readonly tokens: boolean;
  readonly shared: boolean;
  readonly faults: readonly string[];
  readonly timeout: number;
  readonly about: string | undefined;
}

export type Calls = Readonly<Record<string, Call>>;
export type InputOf<C> = C extends Call<infer I, z.ZodType> ? z.input<I> : never;
export type ParsedInputOf<C> = C extends Call<infer I, z.ZodType> ? z.output<I> : never;
export type OutputOf<C> = C extends Call<z.ZodType, infer O> ? z.output<O> : never;

const Nothing = z.strictObject({});
const Done = z.null();
type NothingType = typeof Nothing;
type DoneType = typeof Done;

/** One call of a group. Without `input` it takes nothing; without `output` it answers null. */
export function call<I extends z.ZodType = NothingType, O extends z.ZodType = DoneType>(spec: CallSpec<I, O>): CallSpec<I, O> {
  return spec;
}

type Declared<T> = { readonly [K in keyof T]: T[K] extends CallSpec<infer I, infer O> ? Call<I, O> : never };

/** A group of calls of one domain below one base path (specification, section 7). Paths are below `/ops`. */
export function calls<T extends Record<string, CallSpec<z.ZodType, z.ZodType>>>(domain: string, base: string, table: T): Declared<T> {
  const declared: Record<string, Call> = {};
  for (const [name, spec] of Object.entries(table)) {
    const wire = spec.wire ?? 'json';
    declared[name] = Object.freeze({
      domain,
      group: base,
      name,
      path: spec.path ?? `${base}/${name}`,
      method: spec.method ?? 'POST',
      wire,
      can: spec.can,
      reads: spec.reads ?? false,
      audited: spec.audited ?? !spec.reads,
      platform: spec.platform,
      tx: spec.tx ?? 'call',
      input: spec.input ?? Nothing,
      output: spec.output ?? Done,
      stepUp: spec.stepUp ?? false,
      dual: spec.dual ?? false,
      tokens: spec.tokens ?? false,
      shared: spec.shared ?? false,
      faults: spec.faults ?? [],
      timeout: spec.timeout ?? (wire === 'multipart' ? 60 : wire === 'binary' ? 600 : 20),
      about: spec.about,
    });
  }
  return Object.freeze(declared) as Declared<T>;
}
