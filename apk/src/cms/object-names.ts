/** What the parts of a CMS are called (RFC 5652, sections 4, 5 and 11), whoever reads or writes one. */
export const DATA = '1.2.840.113549.1.7.1';
export const SIGNED_DATA = '1.2.840.113549.1.7.2';
export const CONTENT_TYPE = '1.2.840.113549.1.9.3';
export const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
export const SIGNING_TIME = '1.2.840.113549.1.9.5';
/** RFC 3161, appendix A. */
export const TIME_STAMP = '1.2.840.113549.1.9.16.2.14';
