import type { Course, Stage, TaskType } from '@mooring/contract/engines/approval/steps';
import type { Fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';
import type { GivenFile } from './files.ts';
import type { Act, Person, Standing } from './who.ts';

export interface Content {
  readonly hash: string;
  /** What the hash is of, by its parts. */
  readonly parts: Readonly<Record<string, unknown>>;
}
export interface By {
  readonly id: number;
  readonly name: string;
}
/** Who did something, and what they said to it. */
export interface Said {
  readonly by: By;
  readonly path: string;
  readonly comment: string;
  /** What they give with it. */
  readonly files?: readonly GivenFile[];
  readonly way: 'console' | 'email';
  /** Whom they decided for, who is away. */
  readonly onBehalfOf?: readonly string[];
  /** By when a decision is due from now on. */
  readonly dueAt?: Date;
  readonly now: Date;
}

/** Somebody who may decide, and where they are told so. */
export interface Asked {
  readonly id: number;
  readonly email: string | null;
  readonly language: string | null;
  readonly time_zone: string | null;
  readonly dept_path: string;
}
/** How somebody is refused, in the words of what is approved. */
export interface Refusals {
  readonly over: () => Fault;
  readonly own: () => Fault;
  readonly role: () => Fault;
  readonly changed: () => Fault;
}

/** Somebody who is about to agree to what its authors handed in. */
export interface Agreeing {
  readonly said: Said;
  readonly authors: readonly number[];
  readonly handedIn: Date;
}

/** What is approved: which course it takes, who decides, how it is read, and what follows from a decision. The engine knows nothing else of it. */
export interface Subject {
  readonly type: TaskType;
  readonly course: Course;
  readonly refusals: Refusals;
  /** As it stands now; undefined once it is gone. */
  contentOf(db: Db, id: number): Promise<Content | undefined>;
  /** Who wrote it, besides whoever handed it in. */
  authorsOf(db: Db, id: number): Promise<readonly number[]>;
  /** Who decides at its step, its authors among them; undefined where it waits no more. */
  decidersOf(db: Db, of: { readonly id: number; readonly standing: Standing }): Promise<readonly Asked[] | undefined>;
  /** What somebody may do at a step by what they hold now, wherever they aren't signed in. */
  personNow(db: Db, userId: number, step: string): Promise<{ readonly person: Person; readonly name: string } | undefined>;
  /** What else keeps a person from agreeing, as a fault. */
  mayAgree?(db: Db, id: number, of: Agreeing): Promise<void>;
  /** A stage is approved: it goes out so far. False where it has ended meanwhile. */
  release(db: Db, id: number, of: { readonly stage: Stage; readonly hash: string; readonly said: Said }): Promise<boolean>;
  /** Nothing new goes out until it is approved again; by nobody where its time ran out. False where it has ended meanwhile. */
  sendBack(db: Db, id: number, by: { readonly act: Act; readonly said: Said } | null): Promise<boolean>;
  end(db: Db, id: number, said: Said): Promise<boolean>;
  /** Whether it is known whose it is: right after a stage is approved it may not be yet. */
  isPlaced(db: Db, id: number): Promise<boolean>;
  /** It is over by itself or by a person: nothing of it goes out any further. */
  hasEnded(db: Db, id: number): Promise<boolean>;
  /** Paths of the organisations that have it now. */
  ownersOf(db: Db, id: number): Promise<readonly string[]>;
  /** Lists that show it are asked again. */
  changed(db: Db, id: number): Promise<void>;
}
export interface Subjects {
  of(type: string): Subject;
}
