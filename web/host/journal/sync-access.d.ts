/** File types of Workers, which are missing from the types of pages. */
interface FileSystemSyncAccessHandle {
	read(buffer: Uint8Array, options: { readonly at: number }): number;
	write(buffer: Uint8Array, options: { readonly at: number }): number;
	truncate(size: number): void;
	getSize(): number;
	close(): void;
}

interface FileSystemFileHandle {
	createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
}
