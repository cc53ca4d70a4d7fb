import { expect, test } from 'vitest';
import { reasonIn } from './reason-words.ts';
import { reasonOf } from './transports.ts';

const failed = (code: string, responseCode?: number) => reasonOf(Object.assign(new Error('x'), { code, responseCode }));

test.each([
  'EAUTH',
  'EENVELOPE',
  'EMESSAGE',
  'EPROTOCOL',
  'ETLS',
  'EDNS',
  'ENOTFOUND',
  'ECONNECTION',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ESOCKET',
])('%s is said in the language of who reads it, as a sentence begins', (code) => {
  expect(reasonIn('en', failed(code))).toMatch(new RegExp(`^[A-Z][a-z].* \\(${code}\\)$`));
  expect(reasonIn('zh-CN', failed(code))).toMatch(new RegExp(`^[\\u4e00-\\u9fff]+ \\(${code}\\)$`));
});

test('an answer, a fault and what is known no further', () => {
  expect(reasonIn('en', failed('', 550))).toBe('The mail server refused (550)');
  expect(reasonIn('zh-CN', 'ADDRESS_NOT_PUBLIC')).toContain('公网地址');
  expect(reasonIn('en', 'HTTP 503', 'sms')).toBe('The SMS gateway rejected the message (HTTP 503)');
  expect(reasonIn('en', failed('ECONNREFUSED'), 'sms')).toBe('The SMS gateway doesn’t answer (ECONNREFUSED)');
  expect(reasonIn('zh-CN', failed('ENOTFOUND'), 'sms')).toBe('无法解析短信网关名称 (ENOTFOUND)');
  expect(reasonIn('en', 'Odd words')).toBe('Odd words');
  expect(reasonIn('en', null)).toBeNull();
});
