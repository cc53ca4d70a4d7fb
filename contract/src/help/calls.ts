import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Id, Moment } from '../kit/schema.ts';
import { HelpFile, HelpKey } from './article.ts';

export const MOST_REASON = 500;
export const MOST_HITS = 30;
export const MOST_FOUND = 200;

/** An article in a list; its title may name words of the console. */
const Brief = z.object({ key: z.string(), title: z.string() });
const Article = Brief.extend({
  category: z.string(),
  body: z.string(),
  /** Of the text, where the reader's own language has none. */
  lang: z.string(),
  version: z.int(),
  publishedAt: Moment,
  files: z.array(HelpFile),
});
const Token = z.object({ token: z.string(), url: z.string(), expiresIn: z.int() });
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
    output: z.object({
      /** As many at most as `MOST_HITS`, those that are about it first. */
      hits: z.array(Brief.extend({ category: z.string(), excerpt: z.string() })),
      /** Counted to `MOST_FOUND`. */
      found: z.int(),
    }),
  }),
  read: call({
    can: 'session',
    reads: true,
    input: ByKey,
    output: Article.extend({
      vote: z.boolean().nullable(),
      /** What the reader has said is missing. */
      reason: z.string(),
    }),
  }),
  /** One vote a person and article: another one replaces it, and null takes it back. What is missing is kept of those who weren't helped. */
  vote: call({
    can: 'session',
    audited: false,
    input: ByKey.extend({
      helpful: z.boolean().nullable(),
      /** Not given: what was said before stays, as long as it doesn't help. */
      reason: z.string().trim().max(MOST_REASON).optional(),
      /** Which one was read; not given, the newest. */
      version: z.int().min(1).max(1_000_000).optional(),
    }),
  }),
  /** The token that opens a file or a picture of an article. */
  file: call({
    can: 'session',
    reads: true,
    input: ByKey.extend({ fileId: Id }),
    output: Token,
  }),
});

/** What anybody reads who can't sign in: articles that were published for them. Another one is as unknown as one that isn't there. */
export const openHelpCalls = calls('help', '/unLogin/help', {
  list: call({ can: 'public', reads: true, output: z.array(Brief) }),
  read: call({ can: 'public', reads: true, input: ByKey, output: Article }),
  /** The token that opens a file or a picture of one of them. */
  file: call({ can: 'public', reads: true, input: ByKey.extend({ fileId: Id }), output: Token }),
});
