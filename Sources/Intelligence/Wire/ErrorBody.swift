/// Reads the body of a response that reports an error, in the forms that servers use.
enum ErrorBody {
    /// Returns the error in a payload, or `nil` if the payload reports none.
    ///
    /// OpenAI's protocol has it under `error`, FastAPI under `detail`, and some servers name the whole object an error.
    static func error(in payload: JSONValue) -> JSONValue? {
        if let error = payload["error"], !error.isNull { return error }
        guard payload["choices"] == nil else { return nil }
        if let detail = payload["detail"], !detail.isNull { return detail }
        return payload["object"]?.text == "error" ? payload : nil
    }

    /// Returns what an error says in words, or `nil` if it says nothing.
    ///
    /// FastAPI lists the fields that it rejects, each with its place in the request and the reason; the field's content,
    /// which it repeats, is left out.
    static func words(of error: JSONValue) -> String? {
        if let text = error.text { return text.isEmpty ? nil : text }
        if let list = error.list {
            let parts = list.compactMap(words)
            return parts.isEmpty ? nil : parts.joined(separator: "; ")
        }
        let reason = ["message", "msg", "detail", "error"].lazy.compactMap { error[$0].flatMap(words) }.first
        guard let reason, let field = error["loc"]?.list?.last?.text else { return reason }
        return field + ": " + reason
    }
}
