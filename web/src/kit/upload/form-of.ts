/** The JSON part `req` and the part `file` (specification, section 3). */
export function formOf(req: object, bytes: Blob, name: string): FormData {
  const form = new FormData();
  form.append('req', JSON.stringify(req));
  form.append('file', bytes, name);
  return form;
}
