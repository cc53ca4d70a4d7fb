import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Id, Moment } from '../kit/schema.ts';
import { HelpFile, HelpKey } from './article.ts';

/** An article in a list; its title may name words of the console. */
const Brief = z.object({ key: z.string(), title: z.string() });
const ByKey = z.strictObject({ key: HelpKey });

/** What everybody who is signed in reads, each in their language where it is written in it, or else in English. */
export const helpCalls = calls('help', '/help', {
  /** The articles that explain a screen, by the pattern of its address. */
  context: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ route: z.string().max(200) }),
    output: z.array(Brief),
  }),
  tree: call({
    can: 'session',
    reads: true,
    output: z.array(z.object({ id: Id, parentId: Id.nullable(), name: z.string(), articles: z.array(Brief) })),
  }),
  search: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ text: z.string().trim().min(1).max(64) }),
    output: z.array(Brief.extend({ category: z.string(), excerpt: z.string() })),
  }),
  read: call({
    can: 'session',
    reads: true,
    input: ByKey,
    output: Brief.extend({
      category: z.string(),
      body: z.string(),
      /** Of the text, where the reader's own language has none. */
      lang: z.string(),
      version: z.int(),
      publishedAt: Moment,
      files: z.array(HelpFile),
      vote: z.boolean().nullable(),
    }),
  }),
  /** One vote a person and article: another one replaces it, and null takes it back. */
  vote: call({ can: 'session', audited: false, input: ByKey.extend({ helpful: z.boolean().nullable() }) }),
  /** The token that opens a file or a picture of an article. */
  file: call({
    can: 'session',
    reads: true,
    input: ByKey.extend({ fileId: Id }),
    output: z.object({ token: z.string(), url: z.string(), expiresIn: z.int() }),
  }),
});
