/**
 * The bytes of a signature in base64, as one spelling alone gives them: other readers skip what they don't know, and so each has many. Line
 * breaks alone are passed over, since some terminals' libraries put them in.
 */
export function signatureBytes(base64: string): Buffer | undefined {
  const text = base64.replace(/[\r\n]/g, '');
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}
