/** What the pages use of preact, its hooks and signals, and htm; the bundle itself has no types. */
export type VNode = object;
export type Child = VNode | string | number | null | undefined | false | Child[];
export interface Ref<T> { current: T }
export interface Signal<T> { value: T; peek(): T; subscribe(fn: (value: T) => void): () => void }
export interface ReadonlySignal<T> { readonly value: T; peek(): T }
export function render(node: VNode, parent: Element): void;
export function useState<T>(initial: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
export function useEffect(work: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(work: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(initial: T): Ref<T>;
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useCallback<T>(fn: T, inputs: readonly unknown[]): T;
export function signal<T>(initial: T): Signal<T>;
export function computed<T>(make: () => T): ReadonlySignal<T>;
export function effect(work: () => void | (() => void)): () => void;
export function batch<T>(work: () => T): T;
export function html(parts: TemplateStringsArray, ...values: unknown[]): VNode;
