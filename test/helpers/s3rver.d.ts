declare module 's3rver' {
  /** The parts of s3rver 3 that the tests use. The package ships no types. */
  export default class S3rver {
    constructor(options: { address: string; port: number; silent: boolean; directory: string })
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
