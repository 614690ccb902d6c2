print("tn")
