import { z } from 'zod';
import { field, joined, read } from '../kit/field.ts';
import { Id, Moment, Name, Remark, ref } from '../kit/schema.ts';

/** The file of a picture or video. Whose it is the server looks up itself: it may hang on a row that the actor sees. */
export const FileId = Id;
export const PictureId = FileId.nullable().default(null);

/** Where everything that terminals show begins. */
export const contentHead = {
  name: field(Name, { sort: true }),
  productId: field(ref('product').nullable().default(null), { text: 'content.product', help: 'content.product.help' }),
};
/** And where it ends: what publishing made of it, and whose it is. */
export const contentTail = {
  remark: field(Remark.default(''), { text: 'content.remark' }),
  productName: joined(z.string().nullable(), { text: 'content.product' }),
  /** Counts up in its line as it is published; none before that. */
  number: read(z.int().nullable(), { text: 'content.number' }),
  /** First digits of the SHA-256 of what was packed; terminals report it. */
  version: read(z.string(), { code: true, text: 'content.version' }),
  size: read(z.int(), { text: 'content.size' }),
  publishedAt: read(Moment.nullable(), { text: 'content.publishedAt' }),
  publishedBy: read(z.string(), { text: 'content.publishedBy' }),
  deptId: read(Id, { text: 'content.dept' }),
  deptName: joined(z.string(), { text: 'content.dept' }),
  createdBy: read(z.string(), { text: 'content.createdBy' }),
  createdAt: read(Moment, { sort: true, text: 'content.createdAt' }),
};
