declare module '@20minutes/s3rver' {
  interface Server {
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
  const S3rver: new (options: {
    readonly address: string;
    readonly port: number;
    readonly silent: boolean;
    readonly directory: string;
    readonly configureBuckets: readonly { readonly name: string }[];
  }) => Server;
  export = S3rver;
}
