import type { Stage, TaskType } from '@mooring/contract/engines/approval/steps';
import type { Db } from '../../platform/context.ts';

export interface Content {
  readonly hash: string;
  /** What the hash is of, by its parts. */
  readonly parts: Readonly<Record<string, unknown>>;
}
export interface By {
  readonly id: number;
  readonly name: string;
}

/** What is approved: how it is read, and what follows from a decision. The engine knows nothing else of it. */
export interface Subject {
  readonly type: TaskType;
  /** As it stands now; undefined once it is gone. */
  contentOf(db: Db, id: number): Promise<Content | undefined>;
  /** A stage is approved: it goes out so far. False where it has ended meanwhile. */
  release(db: Db, id: number, of: { readonly stage: Stage; readonly hash: string; readonly by: By; readonly now: Date }): Promise<boolean>;
  /** Nothing new goes out until it is approved again; by nobody where its time ran out. False where it has ended meanwhile. */
  sendBack(db: Db, id: number, by: By | null): Promise<boolean>;
  end(db: Db, id: number, by: By, now: Date): Promise<boolean>;
  /** Whether it is known whose it is: right after a stage is approved it may not be yet. */
  isPlaced(db: Db, id: number): Promise<boolean>;
  /** Paths of the organisations that have it now. */
  ownersOf(db: Db, id: number): Promise<readonly string[]>;
  /** Lists that show it are asked again. */
  changed(db: Db, id: number): Promise<void>;
}
export interface Subjects {
  of(type: string): Subject;
}
