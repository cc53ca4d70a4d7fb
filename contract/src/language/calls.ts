import { z } from 'zod';
import { call, calls } from '../kit/call.ts';

export const LangCode = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'invalid.lang')
  .max(16);

export const languageCalls = calls('language', '/unLogin/multiLang', {
  /** Languages with publishStatus '1'. */
  supports: call({
    can: 'public',
    reads: true,
    output: z.array(z.object({ language: z.string(), langCode: z.string(), publishStatus: z.string(), rightToLeft: z.boolean() })),
  }),
  /** The texts of one language: a list of dataType (domain) and content (key → ICU message). */
  findByCriteria: call({
    can: 'public',
    reads: true,
    shared: true,
    method: 'GET',
    input: z.strictObject({ langCode: LangCode }),
    output: z.array(z.object({ dataType: z.string(), content: z.record(z.string(), z.string()) })),
    faults: ['LANGUAGE_UNKNOWN'],
  }),
});

const Country = z.object({ code: z.string(), name: z.string(), zh: z.string() });
export const countryCalls = calls('language', '', {
  countryMeta: call({ can: 'public', reads: true, shared: true, path: '/unLogin/countryMetaData/list', output: z.array(Country) }),
  countries: call({ can: 'session', reads: true, path: '/country/list', output: z.array(Country) }),
});
